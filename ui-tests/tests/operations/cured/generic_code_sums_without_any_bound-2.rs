use supremum::{Rank0, StaticDType, Tensor};

fn total<D: StaticDType + supremum::operations::Sum<supremum::Jax>>(
    x: &Tensor<D>,
) -> Tensor<D, Rank0> {
    x.sum().cast::<D>()
}

fn main() {}
