use supremum::{F32, Floating, Rank0, Rank2, Rules, Tensor};

fn average<R: Rules>(x: &Tensor<F32, Rank2, R>) -> Tensor<F32, Rank0, R>
where
    F32: Floating<R, Rank2>,
{
    x.mean()
}

fn main() {}
