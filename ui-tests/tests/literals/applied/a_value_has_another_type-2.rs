use supremum::{C64, F32, Tensor, c64, tensor};

fn main() {
    let half = 0.5_f32;
    let halves: Tensor<C64> = tensor![c64::new(half, half), 1.5];
}
