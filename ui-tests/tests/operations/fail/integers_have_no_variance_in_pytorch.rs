//! Functions of floats that PyTorch or the standard of arrays in Python does not define on integers.
use supremum::{ArrayApi, I32, Rank1, Tensor, Torch};

fn main() {
    let counts = Tensor::<I32, Rank1, Torch>::ones([3]);
    let a = counts.var();
    let counts = Tensor::<I32, Rank1, ArrayApi>::ones([3]);
    let b = counts.recip();
    let c = counts.atan2(&counts);
}
