use supremum::{DynTensor, Error, F32, Rank2, Tensor, fuse};

fn main() -> Result<(), Error> {
    let t: DynTensor = Tensor::<F32, Rank2>::zeros([3, 2]).into_dyn();
    let doubled = fuse!(t * 2.0);
    Ok(())
}
