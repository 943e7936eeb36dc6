//! `SafeCommon` is the bound of `promote`, not of operators.
use supremum::{SafeCommon, StaticDType, Tensor};

fn line<A: StaticDType, B: StaticDType, C: StaticDType>(a: &Tensor<A>, b: &Tensor<B>, c: &Tensor<C>)
where
    (A, B, C): SafeCommon,
{
    let line = a * b + c;
}

fn main() {}
