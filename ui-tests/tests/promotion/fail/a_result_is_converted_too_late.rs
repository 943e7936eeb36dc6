//! rustc proposes to convert the result, whose numbers are rounded already.
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2, Torch> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let factor = Tensor::<F64, Rank0, Torch>::scalar(0.1);
    let y: Tensor<F64, Rank2, Torch> = &x * &factor;
    assert_eq!(y.to_vec(), [0.1, 0.2, 3.0 * 0.1, 0.4]);
}
