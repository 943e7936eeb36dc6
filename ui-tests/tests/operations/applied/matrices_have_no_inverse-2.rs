use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[2.0, 1.0], [1.0, 3.0]];
    let products = [a.matmul(&a), a.kron(&a)];
    let outer = a.flatten().outer(&a.flatten());
}
