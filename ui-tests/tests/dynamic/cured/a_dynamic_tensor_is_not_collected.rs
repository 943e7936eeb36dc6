// Elements make a typed tensor, which becomes a dynamic one.
use supremum::{DynTensor, F32, Rank1, Tensor};

fn main() -> supremum::Result<()> {
    let elements = vec![1.0_f32, 2.0];
    let pair = Tensor::<F32, Rank1>::from_vec(elements, [2])?.into_dyn();
    Ok(())
}
