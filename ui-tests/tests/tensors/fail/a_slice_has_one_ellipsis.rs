use supremum::{F32, Rank3, Tensor, s};

fn main() {
    let x = Tensor::<F32, Rank3>::zeros([2, 3, 4]);
    let y = x.slice_axes(s![..., 1, ...]);
}
