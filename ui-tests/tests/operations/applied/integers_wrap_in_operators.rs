use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let a: Tensor<I32, Rank1> = tensor![1, 2];
    let b: Tensor<I32, Rank1> = tensor![3, 5];
    let y = (&a + &b, &a - &b, &a * &b);
    assert_eq!(y.2.to_vec(), [3, 10]);
    let y: Tensor<I32, Rank1> = (a.widen::<I64>() + &b).cast_saturating::<I32>();
    assert_eq!(y, (a.widen::<I64>() + &b).try_cast::<I32>()?);
    Ok(())
}
