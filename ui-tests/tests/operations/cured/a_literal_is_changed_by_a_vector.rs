use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let mut total = 0.0;
    total += (&x * &x).sum();
    let mut steps = 0.0;
    steps += counts.sum().cast::<F32>();
    let mut n = Tensor::<F32, Rank0>::zeros([]);
    n += x.sum();
}
