use supremum::{Bool, C64, F64, I64, Rank1, Tensor, fuse};

fn main() {
    let mask = Tensor::<Bool, Rank1>::zeros([2]);
    let a = fuse!(mask & true);
    let b = fuse!(mask & true);
    let x = Tensor::<F64, Rank1>::zeros([2]);
    let c = fuse!(x * 1e300);
    let n = Tensor::<I64, Rank1>::zeros([2]);
    let d = fuse!(n + 1);
    let z = Tensor::<C64, Rank1>::zeros([2]);
    let e = fuse!(z + 1);
    let f = fuse!(z + 1);
}
