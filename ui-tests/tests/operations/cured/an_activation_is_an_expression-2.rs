use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = x.gelu();
    let z = x.elu(1.0);
    let w = x.leaky_relu(0.01);
}
