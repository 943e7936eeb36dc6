use supremum::{F16, tensor};

fn main() {
    let limits = tensor![F16; 65504, 65519, 65520]; // 65519 rounds to the largest
}
