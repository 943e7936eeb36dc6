use supremum::{F32, tensor};

fn main() {
    let x = tensor![F32, 1.0, 2.0];
    let row = tensor![F32, [1.0, 2.0]];
}
