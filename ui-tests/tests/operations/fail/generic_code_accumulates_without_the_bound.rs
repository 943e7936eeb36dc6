use supremum::{F32, Floating, Rank2, Tensor};

fn gram<D: Floating>(x: &Tensor<D, Rank2>) -> Tensor<F32, Rank2> {
    x.matmul_in::<F32>(x)
}

fn main() {}
