use supremum::{F64, tensor};

fn main() {
    let limits = tensor![F64; 65504, 65519, 65520]; // 65519 rounds to the largest
}
