use supremum::{F32, Rank1, Tensor};

fn main() {
    let rates = Tensor::<F32, Rank1>::from([0.1, 0.2]);
    let raised = &rates * 0.5;
}
