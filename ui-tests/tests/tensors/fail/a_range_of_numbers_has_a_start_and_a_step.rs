//! The numbers 0 to 9 in NumPy. rustc proposes more arguments behind the 10, which would be the start.
use supremum::prelude::*;

fn main() {
    let t = Tensor::<I64, Rank1>::arange(10);
    assert_eq!(t.len(), 10);
}
