use ndarray::{Array, Dimension};
use supremum::{Error, F32, NdarrayDim, NdarrayRank, Rank, Tensor};

fn sum<N: NdarrayRank>(t: &Tensor<F32, N>) -> f32 {
    t.view_ndarray().sum()
}

fn total<Dm: NdarrayDim>(a: Array<f32, Dm>) -> Result<f32, Error> {
    Tensor::<F32, _>::try_from(a)?.sum().item()
}

fn twice<N: NdarrayRank>(t: &Tensor<F32, N>) -> f32 {
    2.0 * sum(t)
}

fn half<Dm: NdarrayDim>(a: Array<f32, Dm>) -> Result<f32, Error> {
    Ok(0.5 * total(a)?)
}

fn main() {}
