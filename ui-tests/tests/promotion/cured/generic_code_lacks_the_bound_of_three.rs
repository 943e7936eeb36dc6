use supremum::{SafeCommon, Tensor, promote};

fn sum<A, B, C>(a: &Tensor<A>, b: &Tensor<B>, c: &Tensor<C>)
where
    (A, B, C): SafeCommon,
{
    let (a, b, c) = promote((a, b, c));
}

fn main() {}
