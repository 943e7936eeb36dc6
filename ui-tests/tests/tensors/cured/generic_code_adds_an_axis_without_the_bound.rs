use supremum::{F32, Rank, Tensor};

fn batch<N: supremum::rank::AddAxis>(sample: &Tensor<F32, N>) {
    let batch = sample.unsqueeze(0);
}

fn main() {}
