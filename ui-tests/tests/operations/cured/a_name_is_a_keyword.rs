use supremum::{F32, F64, Rank1, Tensor, select, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let positive = select(&a.gt(0.0), &a, 0.0);
    let rest = &a % 0.2;
    let wide = a.cast::<F64>();
}
