use supremum::prelude::*;

fn main() {
    let t = Tensor::<I64, Rank1>::arange(0, 10, 1);
    assert_eq!(t.len(), 10);
}
