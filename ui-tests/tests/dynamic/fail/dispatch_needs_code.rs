use supremum::{DynTensor, dispatch};

fn run(x: DynTensor) {
    let _ = dispatch!(x in [F16, F32]);
    let _ = dispatch!(x, 5);
}

fn main() {}
