use supremum::{F32, Rank, Rank1, Tensor, tensor};

fn of<N: supremum::rank::HasMatrices>(x: &Tensor<F32, N>) {
    let sum = x.trace(0);
}

fn main() {
    let vector: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let sum = vector.diag(0).trace(0);
}
