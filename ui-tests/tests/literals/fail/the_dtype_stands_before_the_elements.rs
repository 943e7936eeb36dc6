//! NumPy's `np.array([1.0, 2.0], np.float32)`.
use supremum::{F32, tensor};

fn main() {
    let x = tensor![[1.0, 2.0], [3.0, 4.0], F32];
}
