//! `matmul` has the dtype of the promotion; `matmul_in` takes another one.
use supremum::{I8, I32, Rank2, Tensor};

fn main() {
    let (x, w) = (Tensor::<I8, Rank2>::ones([2, 3]), Tensor::<I8, Rank2>::ones([3, 2]));
    let product = x.matmul::<I32>(&w);
}
