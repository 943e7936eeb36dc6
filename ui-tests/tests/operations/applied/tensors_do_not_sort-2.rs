use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let a = Tensor::<F32, Rank2>::ones([2, 3]);
    let mut tensors: Vec<_> = a.rows().map(|row| row.sum()).collect();
    tensors.sort_by(|a, b| f32::from(a.sum()).total_cmp(&f32::from(b.sum())));
    Ok(())
}
