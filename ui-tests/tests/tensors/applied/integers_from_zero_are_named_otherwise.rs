use supremum::prelude::*;

fn main() {
    let n = 3;
    let y = Tensor::<I64, Rank1>::arange(0, 2, 1).unsqueeze(1).broadcast_to([2, 3]);
    assert_eq!(y.to_vec(), [0, 0, 0, 1, 1, 1]);
}
