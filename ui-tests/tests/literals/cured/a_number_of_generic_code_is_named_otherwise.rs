supremum::prelude!();

fn relu<D: Floating>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x.maximum(0)
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-1.0, 2.0];
    let next = relu(&x) + 1;
}
