use supremum::{DynTensor, dispatch};

fn run(x: DynTensor, y: DynTensor) {
    let _ = dispatch!((x, y), |x| x.len());
    let _ = dispatch!(x, |x, y| x.len());
    let _ = dispatch!((x, y, x), |a, b, c| a.len());
}

fn main() {}
