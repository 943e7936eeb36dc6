use supremum::{F32, Rank3, Tensor, s};

fn main() {
    let t = Tensor::<F32, Rank3>::ones([2, 3, 4]);
    let _: Tensor<F32, Rank3> = t.slice_axes(s![0..2, 1..]);
}
