//! The type of elements decides the dtype of a dynamic tensor, and `usize` has none.
use supremum::DynTensor;

fn main() {
    let sizes: Vec<usize> = vec![2, 3];
    let d: DynTensor = sizes.into();
}
