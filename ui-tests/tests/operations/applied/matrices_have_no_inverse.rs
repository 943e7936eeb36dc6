use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[2.0, 1.0], [1.0, 3.0]];
    let elements = a.to_vec();
    let determinant = elements[0] * elements[3] - elements[1] * elements[2];
}
