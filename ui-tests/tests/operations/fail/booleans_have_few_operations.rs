//! Operations that NumPy, PyTorch or the standard of arrays in Python does not define on booleans.
use supremum::{ArrayApi, Bool, Numpy, Rank1, Tensor, Torch};

fn main() {
    let mask = Tensor::<Bool, Rank1, Numpy>::zeros([3]);
    let a = mask.sign();
    let mask = Tensor::<Bool, Rank1, Torch>::zeros([3]);
    let b = mask.abs();
    let c = mask.round();
    let mask = Tensor::<Bool, Rank1, ArrayApi>::zeros([3]);
    let d = &mask * &mask;
    let e = mask.cumsum(0);
    let f = mask.pow(&mask);
    let g = mask.maximum(&mask);
}
