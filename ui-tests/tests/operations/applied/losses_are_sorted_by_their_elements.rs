use supremum::prelude::*;

fn main() {
    let losses: Vec<Tensor<F32, Rank0>> = vec![Tensor::scalar(1.0), Tensor::scalar(0.5)];
    let (a, b) = (&losses[0], losses[1].clone());
    let compared = [a.lt(&b), a.le(&b), a.gt(0.0), a.ge(0.0)];
}
