use supremum::{AnyRank, Error, F32, Rank, Tensor};

struct Optimizer {
    weights: Vec<Tensor<F32>>,
}

impl Optimizer {
    fn weights<N: Rank>(&self, number: usize) -> Result<Tensor<F32, N>, Error>
    where
        AnyRank: supremum::rank::MayBe<N>,
    {
        self.weights[number].rank::<N>()
    }
}

fn main() {}
