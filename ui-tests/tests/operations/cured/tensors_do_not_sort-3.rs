use supremum::{Error, F32, Rank2, Tensor, stack};

fn main() -> Result<(), Error> {
    let a = Tensor::<F32, Rank2>::ones([2, 3]);
    let tensors: Vec<_> = a.rows().map(|row| row.sum()).collect();
    let best = stack(&tensors, 0).argmax();
    Ok(())
}
