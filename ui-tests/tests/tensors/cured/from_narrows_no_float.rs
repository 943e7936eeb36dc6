// `from` and `into` refuse the same conversions.
use supremum::{F32, F64, Rank1, Tensor, tensor};

fn main() {
    let wide: Tensor<F64, Rank1> = tensor![0.1, 0.2];
    let narrow: Tensor<F32, Rank1> = wide.cast::<F32>();
}
