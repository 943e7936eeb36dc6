use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let losses: Vec<Tensor<F32, Rank0>> = vec![Tensor::scalar(1.0), Tensor::scalar(0.5)];
    let [a, b] = [&losses[0], &losses[1]];
    assert!(!(a.item()? < b.item()?));
    Ok(())
}
