use supremum::{ArrayApi, F32, I32, Rank1, Tensor, Torch};

fn main() {
    let counts = Tensor::<I32, Rank1, Torch>::ones([3]);
    let a = counts.cast::<F32>().var();
    let counts = Tensor::<I32, Rank1, ArrayApi>::ones([3]);
    let b = counts.cast::<F32>().recip();
    let c = counts.cast::<F32>().atan2(counts.cast::<F32>());
}
