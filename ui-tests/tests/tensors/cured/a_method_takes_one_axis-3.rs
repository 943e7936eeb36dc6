use supremum::{F32, Rank3, Tensor, concat};

fn main() {
    let t = Tensor::<F32, Rank3>::ones([2, 3, 4]);
    let _: Tensor<F32, Rank3> = concat([&t, &t], 0);
}
