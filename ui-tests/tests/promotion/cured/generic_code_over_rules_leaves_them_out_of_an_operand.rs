use supremum::{F32, Floating, Rank1, Rules, Tensor, Torch, tensor};

fn shift<D, R>(x: &Tensor<D, Rank1, R>, by: &Tensor<D, Rank1>) -> Tensor<D, Rank1, R>
where
    D: Floating<R, Rank1>,
    R: Rules,
{
    x + by.with_rules::<R>()
}

fn main() {
    let x: Tensor<F32, Rank1, Torch> = tensor![1.0, 2.0];
    let _ = shift(&x, &tensor![0.5, 0.5]);
}
