use supremum::{Error, F32, I64, Rank0, Rank1, Tensor, s, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0];
    let shift = Tensor::<I64, Rank0>::scalar(1).item()? as isize;
    let b = a.roll(shift, 0);
    let c = a.slice_axes(s![..;shift]);
    let a = a.reshape([2, 2]);
    let d = a.roll(1, 0).roll(-1, 1);
    assert_eq!(d.to_vec(), [4.0, 3.0, 2.0, 1.0]);
    Ok(())
}
