use supremum::{Arithmetic, SafeCommon, StaticDType, Tensor, promote};

fn difference<A: StaticDType, B: StaticDType>(a: &Tensor<A>, b: &Tensor<B>)
where
    (A, B): SafeCommon<Output: Arithmetic>,
{
    let (a, b) = promote((a, b));
    let difference = a - b;
}

fn main() {}
