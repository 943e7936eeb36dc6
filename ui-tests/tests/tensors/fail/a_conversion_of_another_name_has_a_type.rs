//! NumPy's name of `cast`, with the dtype as a type. The result is a tensor, so that its use is no error.
use supremum::{F32, F64, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let d = a.astype::<F64>();
    println!("{d}");
    assert_eq!(d.shape(), [2, 3]);
}
