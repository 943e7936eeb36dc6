use supremum::{DynTensor, dispatch};

fn run(x: DynTensor) {
    let _ = dispatch!(x in F16, |t| t.len());
    let _ = dispatch!(x in [], |t| t.len());
    let _ = dispatch!(x of [F16], |t| t.len());
}

fn main() {}
