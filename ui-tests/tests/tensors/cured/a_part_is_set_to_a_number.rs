use supremum::{F32, Rank2, Tensor, s};

fn main() {
    let mut t = Tensor::<F32, Rank2>::ones([4, 4]);
    t.slice_axes_mut(s![1..3, ..]).fill(0.5);
}
