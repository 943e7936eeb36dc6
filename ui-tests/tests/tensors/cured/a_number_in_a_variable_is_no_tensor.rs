// A number in a variable has a type that is no dtype.
use supremum::{F32, Rank0, Rank1, Tensor};

fn main() {
    let rates = Tensor::<F32, Rank1>::from([0.1, 0.2]);
    let x: f32 = 0.5;
    let raised = &rates + Tensor::<F32, Rank0>::scalar(x);
}
