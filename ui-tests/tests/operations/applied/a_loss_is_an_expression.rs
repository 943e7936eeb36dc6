use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let logits: Tensor<F32, Rank2> = tensor![[0.0, 0.0], [0.0, 0.0]];
    let labels: Tensor<I64, Rank1> = tensor![1, 0];
    let y = -logits.log_softmax(1).take_along_axis(&labels.unsqueeze(1), 1).mean();
    assert!((y.item()? - 2.0_f32.ln()).abs() < 1e-6);
    Ok(())
}
