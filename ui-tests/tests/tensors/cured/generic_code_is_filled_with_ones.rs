use supremum::{F32, Floating, Rank1, Tensor};

fn keep<D: Floating>(shape: [usize; 1], x: f64) -> Tensor<D, Rank1> {
    Tensor::<D, Rank1>::ones(shape) * x
}

fn main() {
    keep::<F32>([3], 0.9);
}
