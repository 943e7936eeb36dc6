use supremum::{Error, F32, Rank1, Tensor, dispatch, tensor};

fn main() -> Result<(), Error> {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let d = t.into_dyn();
    dispatch!(&d, |t| {
        println!("{}", t.count_nonzero().item()?);
        Ok::<_, Error>(())
    })??;
    Ok(())
}
