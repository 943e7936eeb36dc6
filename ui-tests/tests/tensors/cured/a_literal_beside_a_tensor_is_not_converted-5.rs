use supremum::{F32, Rank1, Rank2, Tensor};

fn main() {
    let rates = Tensor::<F32, Rank1>::from([0.1, 0.2]);
    let raised = Tensor::<F32, Rank2>::full([2, 3], 0.5);
}
