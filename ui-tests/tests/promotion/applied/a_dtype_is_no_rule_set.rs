use supremum::{F32, Numpy, Rank1, Rules, Tensor, tensor};

fn under<R: Rules>(a: Tensor<F32, Rank1>) -> Tensor<F32, Rank1, R> {
    a.with_rules::<R>()
}

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let b = under::<Numpy>(a);
}
