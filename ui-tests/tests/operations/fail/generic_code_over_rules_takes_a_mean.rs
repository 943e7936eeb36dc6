use supremum::{F32, Rank0, Rank2, Rules, Tensor};

fn average<R: Rules>(x: &Tensor<F32, Rank2, R>) -> Tensor<F32, Rank0, R> {
    x.mean()
}

fn main() {}
