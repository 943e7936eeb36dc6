//! An unsafe promotion within a long expression: the message names the two dtypes, and not the type of the expression.

use supremum::{F32, I64, fuse, tensor};

fn main() {
    let (a, c) = (tensor![F32; 1.0, 2.0], tensor![I64; 3, 4]);
    let _ = fuse!(((a - 1.0).exp() + a.sqrt() * 2.0) * c);
}
