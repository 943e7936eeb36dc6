use supremum::prelude::*;

fn main() {
    let y = Tensor::<Bool, Rank2>::ones([3, 3]).triu(0).argwhere();
    assert_eq!(y.to_vec(), [0, 0, 0, 1, 0, 2, 1, 1, 1, 2, 2, 2]);
    let mask = Tensor::<Bool, Rank2>::ones([3, 3]).tril(-1);
    let a = Tensor::<F32, Rank2>::ones([3, 3]).tril(0);
    assert_eq!((a.masked_select(&mask).to_vec(), a.sum().item()), (vec![1.0; 3], Ok(6.0)));
}
