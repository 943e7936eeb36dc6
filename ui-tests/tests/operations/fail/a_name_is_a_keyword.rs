//! rustc proposes to escape the keyword, and looks for a method of that name: ours, which has the message.
use supremum::{F32, F64, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let positive = a.where(a.gt(0.0), 0.0);
    let rest = a.mod(0.2);
    let wide = a.type::<F64>();
}
