use supremum::{F32, Rank, Tensor, stack};

fn pairs<N: supremum::rank::AddAxis>(a: &Tensor<F32, N>, b: &Tensor<F32, N>) {
    let pairs = stack([a, b], 0);
}

fn main() {}
