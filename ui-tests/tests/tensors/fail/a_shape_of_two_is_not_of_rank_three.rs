use supremum::{F32, Rank3, Tensor};

fn main() {
    let a = Tensor::<F32, Rank3>::zeros([2, 3]);
}
