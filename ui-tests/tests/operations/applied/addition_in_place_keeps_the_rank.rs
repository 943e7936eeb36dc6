use supremum::{Error, F32, Rank1, Rank2, Tensor, tensor};

fn main() -> Result<(), Error> {
    let mut a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let b = b.slice(0, ..1).into_any().squeeze(0);
    a = (&a + &b).rank::<Rank1>()?;
    Ok(())
}
