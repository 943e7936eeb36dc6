use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y: Vec<Tensor<F32, Rank1>> = x.rows().chain(x.axis_iter(1)).collect();
}
