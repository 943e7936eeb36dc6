use supremum::prelude::*;

fn main() {
    let at: Tensor<I64, Rank1> = tensor![0, 4, 5];
    let (rows, columns) = (at.floor_div(3), &at % 3);
    assert_eq!((rows.to_vec(), columns.to_vec()), (vec![0, 1, 1], vec![0, 1, 2]));
    let y = &rows * 3 + &columns;
    assert_eq!(y, at);
    let mask: Tensor<Bool, Rank2> = tensor![[true, false], [false, true]];
    assert_eq!(mask.argwhere().to_vec(), [0, 0, 1, 1]);
}
