//! A layer in mixed precision whose dtypes are part of its contract: weights in bf16, inputs in f16, scores in f32.
//!
//! The assertions below hold or the crate does not compile. `ui/` has what callers must not be able to write, and the messages
//! that they get.

use supremum::static_assertions::assert_type_eq_all;
use supremum::{
    BF16, F16, F32, F64, I32, I64, Jax, Promoted, Rank1, Rank2, Tensor, U8, Weak, assert_promotes,
    assert_refused,
};

// The promotions that this crate relies on. If a new version of the library or of the rules changes one of them, the crate no
// longer compiles, and the error names both dtypes.
assert_promotes!(Jax: F16, BF16 => F32);
assert_promotes!(Jax: F32, Weak<F64> => F32); // a float literal does not widen the scores
assert_promotes!(Jax: U8, F16, BF16 => F32);

// What must stay impossible without a cast.
assert_refused!(Jax: I64, F32);
assert_refused!(Jax: I32, F16);

/// The dtype of the scores.
pub type Score = Promoted<F16, BF16>;
// The same as above, by the crate `static_assertions`: it knows any types, and its message is rustc's "expected .., found ..".
assert_type_eq_all!(Score, F32);

/// The scores of inputs: shape `[n, classes]` for inputs of shape `[n, features]` and weights of shape `[features, classes]`.
///
/// # Panics
/// If the shapes do not fit.
#[track_caller]
pub fn scores(inputs: &Tensor<F16, Rank2>, weights: &Tensor<BF16, Rank2>) -> Tensor<Score, Rank2> {
    inputs.matmul(weights)
}

/// Returns the share of all inputs for which each class was the best.
pub fn shares(counts: &Tensor<I64, Rank1>) -> Tensor<F32, Rank1> {
    let counts = counts.cast::<F32>(); // without the cast: ui/counts_need_a_cast.rs
    &counts / counts.sum()
}

#[cfg(test)]
mod tests {
    use supremum::tensor;

    use super::*;

    #[test]
    fn scores_are_products() {
        let inputs = tensor![F16; [1.0, 2.0]];
        let weights = tensor![BF16; [1.0, 0.5], [0.25, 0.0]];
        assert_eq!(scores(&inputs, &weights).to_vec(), [1.5, 0.5]);
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares(&tensor![I64; 1, 3]).to_vec(), [0.25, 0.75]);
    }
}
