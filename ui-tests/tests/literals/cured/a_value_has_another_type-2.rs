use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let halves = Tensor::<I64, Rank1>::arange(0, 10, 1);
}
