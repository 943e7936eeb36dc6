use supremum::{Error, F64, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<F64, Rank1> = tensor![1.0, 2.0];
    let total = a.sum().item()?;
    let centred = &a - total;
    Ok(())
}
