use supremum::{F32, Rank, Rank2, Tensor};

struct Dense(Tensor<F32, Rank2>);

impl Dense {
    fn forward<N: Rank>(&self, x: &Tensor<F32, N>) -> Tensor<F32, N> {
        x.matmul(&self.0)
    }
}

fn main() {}
