use supremum::{Error, F32, Rank1, Tensor, stack, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let rows = stack(&[&a + 1, &a * 2], 0)?;
    Ok(())
}
