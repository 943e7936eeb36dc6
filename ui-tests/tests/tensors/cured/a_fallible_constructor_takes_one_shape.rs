use supremum::{Error, F32, Rank0, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let elements = vec![0.0_f32; 6];
    let n = 2;
    let a = Tensor::<F32, Rank2>::try_zeros([2, 3])?;
    let a = Tensor::<F32, Rank2>::try_ones([2, 3])?;
    let a = Tensor::<F32, Rank2>::try_full([2, 3], 0.5)?;
    let a = Tensor::<F32, Rank2>::try_from_slice(&elements, [n, 3])?;
    let a = Tensor::<F32, Rank2>::try_from_vec(elements, [n, 3])?;
    let a = Tensor::<F32, Rank2>::try_from_fn([2, 3], |[i, j]| (i + j) as f32)?;
    let a = Tensor::<F32, Rank0>::try_scalar(0.5)?;
    Ok(())
}
