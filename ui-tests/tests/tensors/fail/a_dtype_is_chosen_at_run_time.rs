use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let half = x.len() > 1;
    let y = if half { x.cast::<F16>() } else { x.into() };
}
