use supremum::{Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let scores: Tensor<F32, Rank1> = tensor![0.5, 2.0];
    let best = scores.argmax();
    let score = scores[best];
    Ok(())
}
