use supremum::{DynTensor, F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let a = a.into_dyn();
    let equation = "ij,kj->ik";
    let product = DynTensor::einsum(equation, &[&a, &a]);
}
