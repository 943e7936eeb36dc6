use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let bytes: usize = a.len() * a.dtype().size();
    Ok(())
}
