use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let x: Tensor<F32> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let sizes = x.shape();
    Ok(())
}
