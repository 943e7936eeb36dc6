//! A number in a variable on the left of a `DynTensor` is not a literal.
use supremum::DynTensor;

fn run(x: &DynTensor, rate: f32, n: usize) -> DynTensor {
    let mean = rate * x;
    n - mean
}

fn main() {}
