use supremum::prelude::*;

fn main() {
    let mut losses: Vec<Tensor<F32, Rank0>> = vec![Tensor::scalar(1.0), Tensor::scalar(0.5)];
    losses.sort_by(|a, b| a.item().unwrap().total_cmp(&b.item().unwrap()));
    assert_eq!(losses[0].item(), Ok(0.5));
}
