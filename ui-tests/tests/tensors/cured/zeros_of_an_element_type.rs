use supremum::{F32, Rank2, Tensor};

fn main() {
    let t = Tensor::<F32, Rank2>::zeros([2, 3]);
}
