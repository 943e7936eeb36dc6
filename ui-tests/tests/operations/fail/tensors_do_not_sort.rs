//! Tensors have no order, not even those of one element.
use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let a = Tensor::<F32, Rank2>::ones([2, 3]);
    let tensors: Vec<_> = a.rows().map(|row| row.sum()).collect();
    let best = tensors.into_iter().max();
    Ok(())
}
