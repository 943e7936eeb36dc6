use supremum::{Error, F32, Rank2, Tensor, tensor};

fn main() -> Result<(), Error> {
    let matrix: Tensor<F32> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let matrix = matrix.rank::<Rank2>()?;
    Ok(())
}
