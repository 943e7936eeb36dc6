//! `widen` of a dtype that is a parameter.
use supremum::{F64, StaticDType, Tensor};

fn wide<D: StaticDType>(x: &Tensor<D>) -> Tensor<F64> {
    x.widen::<F64>()
}

fn main() {}
