use supremum::{DynTensor, F16, F32, dispatch};

fn run(x: DynTensor) {
    let _ = dispatch!(x in [F16, F32], |tensor| tensor.len());
    let _ = dispatch!(x, |tensor| tensor.len());
}

fn main() {}
