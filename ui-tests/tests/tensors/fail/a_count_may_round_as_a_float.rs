//! A `u128` as a bound of `arange`, which is an `f64`.
use supremum::{Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let n = 5_u128;
    let x = Tensor::<F32, Rank1>::arange(0, n, 1);
    Ok(())
}
