use supremum::{BF16, Tensor, bf16, tensor};

fn main() {
    let half = 0.5_f32;
    let halves: Tensor<BF16> = tensor![bf16::from_f32(half), 1.5];
}
