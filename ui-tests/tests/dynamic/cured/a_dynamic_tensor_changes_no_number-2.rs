use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let x: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let mut total = Tensor::<F64, Rank0>::zeros([]).into_dyn();
    total += x.sum();
    Ok(())
}
