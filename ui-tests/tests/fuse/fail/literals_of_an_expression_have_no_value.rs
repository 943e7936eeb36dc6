//! Literals are computed when the program is compiled: numbers only, and within the range of the greatest dtype.
use supremum::{Bool, C64, F64, I64, Rank1, Tensor, fuse};

fn main() {
    let mask = Tensor::<Bool, Rank1>::zeros([2]);
    let a = fuse!(mask & -true);
    let b = fuse!(mask & (true + true));
    let x = Tensor::<F64, Rank1>::zeros([2]);
    let c = fuse!(x * (1e300 * 1e300));
    let n = Tensor::<I64, Rank1>::zeros([2]);
    let d = fuse!(n + (170141183460469231731687303715884105727 + 1));
    let z = Tensor::<C64, Rank1>::zeros([2]);
    let e = fuse!(z + 1e400i);
    let f = fuse!(z + 1e300i * 1e300);
}
