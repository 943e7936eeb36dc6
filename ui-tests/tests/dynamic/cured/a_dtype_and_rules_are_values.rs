use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let d: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let n = d.with_rules(Numpy);
    let w = d.widen(DType::F64)?;
    let c = d.try_cast(DType::F16)?;
    Ok(())
}
