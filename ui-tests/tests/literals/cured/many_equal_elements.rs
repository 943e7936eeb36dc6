use supremum::{F32, Rank1, Tensor};

fn main() {
    let x = Tensor::<F32, Rank1>::full([10], 0.5);
}
