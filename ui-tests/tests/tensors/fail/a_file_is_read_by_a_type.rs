//! NumPy's `load` and `save`.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let z: Tensor<F32, Rank2> = supremum::read_npy("z.npy");
    let written: () = supremum::write_npy("z.npy", &z);
}
