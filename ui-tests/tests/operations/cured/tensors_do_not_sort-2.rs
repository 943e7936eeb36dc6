use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let a = Tensor::<F32, Rank2>::ones([2, 3]);
    let best = a.sum_axis(1).max();
    Ok(())
}
