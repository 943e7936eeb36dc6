use supremum::{F32, Rank1, Tensor, s, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0];
    let shift = 1.0;
    let b = a.roll(shift as isize, 0);
    let c = a.slice_axes(s![..;shift as isize]);
}
