//! A tensor of any rank, given back with the rank that the caller names.
use supremum::{Error, F32, Rank, Tensor};

struct Optimizer {
    weights: Vec<Tensor<F32>>,
}

impl Optimizer {
    fn weights<N: Rank>(&self, number: usize) -> Result<Tensor<F32, N>, Error> {
        self.weights[number].rank::<N>()
    }
}

fn main() {}
