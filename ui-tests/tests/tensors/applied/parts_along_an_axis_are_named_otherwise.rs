use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    for mut part in x.axis_iter_mut(0) {
        part.fill(1.0);
    }
}
