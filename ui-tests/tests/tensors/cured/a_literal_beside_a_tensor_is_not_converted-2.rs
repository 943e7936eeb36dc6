// A literal is an operand, and needs no `from`.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let rates = Tensor::<F32, Rank1>::from([0.1, 0.2]);
    let raised = tensor![F32; 0.5] + &rates;
}
