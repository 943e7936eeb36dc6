use supremum::{F32, Floating, Rank1, Rules, Tensor};

fn halves<R: Rules>(a: &Tensor<F32, Rank1, R>) -> Tensor<F32, Rank1, R>
where
    F32: Floating<R, Rank1>,
{
    a * 0.5
}

fn main() {}
