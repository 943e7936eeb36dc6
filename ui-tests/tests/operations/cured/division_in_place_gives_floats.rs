use supremum::{F32, I32, Rank1, Tensor, fuse, tensor};

fn main() {
    let mut a: Tensor<I32, Rank1> = tensor![4, 5];
    let b: Tensor<I32, Rank1> = tensor![2, 2];
    a = a.floor_div(&b);
    let mut part = a.slice_mut(0, 1..);
    fuse!(part = part.floor_div(2));
    a = (a.cast::<F32>() / b.cast::<F32>()).cast::<I32>();
}
