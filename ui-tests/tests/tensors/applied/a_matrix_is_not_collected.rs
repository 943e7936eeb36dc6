use supremum::{F32, Rank1, Rank2, Tensor, stack};

fn main() {
    let rows: Vec<Tensor<F32, Rank1>> = vec![Tensor::from([1.0, 2.0]), Tensor::from([3.0, 4.0])];
    let matrix: Tensor<F32, Rank2> = stack(&rows, 0);
}
