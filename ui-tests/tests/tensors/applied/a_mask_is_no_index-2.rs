use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let mut a: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let indices = [1, 0];
    let parts = [
        a.slice(0, 1..),
        a.take(&indices, 0),
        a.unsqueeze(0).sum_axis(0),
    ];
}
