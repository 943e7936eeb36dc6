use supremum::{ArrayApi, Bool, I32, Numpy, Rank1, Tensor, Torch};

fn main() {
    let mask = Tensor::<Bool, Rank1, Numpy>::zeros([3]);
    let a = mask.cast::<I32>().sign();
    let mask = Tensor::<Bool, Rank1, Torch>::zeros([3]);
    let b = mask.cast::<I32>().abs();
    let c = mask.cast::<I32>().round();
    let mask = Tensor::<Bool, Rank1, ArrayApi>::zeros([3]);
    let d = mask.cast::<I32>() * mask.cast::<I32>();
    let e = mask.cast::<I32>().cumsum(0);
    let f = mask.cast::<I32>().pow(mask.cast::<I32>());
    let g = mask.cast::<I32>().maximum(mask.cast::<I32>());
}
