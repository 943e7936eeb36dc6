//! Rust's name for parts of a given length. rustc would propose `chunk`, which takes the number of parts.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let data = Tensor::<F32, Rank2>::ones([10, 2]);
    let mut sizes = Vec::new();
    for batch in data.chunks(4) {
        sizes.push(batch.len());
    }
    assert_eq!(sizes, [8, 8, 4]);
}
