use supremum::{DynTensor, F16, F32, dispatch};

fn run(x: DynTensor) {
    let _ = dispatch!(x in [F16, F32], |t| t * 2);
}

fn main() {}
