use supremum::{Bool, DynTensor, F32, dispatch};

fn run(x: DynTensor) {
    let _ = dispatch!(x in [F32, Bool], |t| (-t).into_dyn());
}

fn main() {}
