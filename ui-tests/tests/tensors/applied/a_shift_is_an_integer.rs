use supremum::{Error, F32, I64, Rank0, Rank1, Tensor, s, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0];
    let shift = Tensor::<I64, Rank0>::scalar(1).item()? as isize;
    let b = a.roll(shift, 0);
    let c = a.slice_axes(s![..;shift]);
    Ok(())
}
