//! NumPy's `dtype=`.
use supremum::tensor;

fn main() {
    let x = tensor![1.0, 2.0, dtype = F32];
}
