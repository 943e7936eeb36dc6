use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let a = Tensor::<F32, Rank2>::ones([2, 3]);
    let tensors: Vec<_> = a.rows().map(|row| row.sum()).collect();
    let best = tensors[0].maximum(&tensors[1]);
    let sorted = a.sort(0);
    Ok(())
}
