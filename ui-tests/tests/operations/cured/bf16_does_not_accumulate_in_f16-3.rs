use supremum::{F16, Rank2, Tensor, tensor};

fn sums<D: supremum::Floating + supremum::AccumulatesIn<F16>>(
    x: &Tensor<D, Rank2>,
) -> Tensor<F16, Rank2> {
    x.matmul_in::<F16>(&x.transpose())
}

fn main() {
    let x: Tensor<F16, Rank2> = tensor![[1.0, 2.0]];
    let sums = sums(&x);
}
