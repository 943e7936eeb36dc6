use supremum::{DynTensor, F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let b: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let equation = "ij,kj->ik";
    let product = DynTensor::einsum(equation, &[&a.into_dyn(), &b.into_dyn()]);
}
