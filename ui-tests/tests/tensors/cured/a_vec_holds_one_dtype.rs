use supremum::{F16, F32, Rank1, Tensor};

fn main() {
    let a = Tensor::<F32, Rank1>::ones([2]);
    let b = Tensor::<F16, Rank1>::ones([2]);
    let both = vec![a, b.into()];
}
