use supremum::{Floating, SafeCommon, StaticDType, Tensor, promote};

fn line<A: StaticDType, B: StaticDType, C: StaticDType>(a: &Tensor<A>, b: &Tensor<B>, c: &Tensor<C>)
where
    (A, B, C): SafeCommon<Output: Floating>,
{
    let (a, b, c) = promote((a, b, c));
    let line = a * b + c;
}

fn main() {}
