use supremum::{Rank1, StaticDType, Tensor};

fn total<D: StaticDType + supremum::operations::Sum<supremum::Jax>>(
    x: &Tensor<D, Rank1>,
) -> Tensor<D, supremum::Rank0> {
    x.sum().cast::<D>()
}

fn main() {}
