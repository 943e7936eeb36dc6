//! `fuse!` compiles loops if the crate that it stands in is optimised (`opt-level` 2 or 3), whatever debug assertions say and however the
//! library is compiled. `.ci/run` has this crate optimised while the library is not, with debug assertions, and sets
//! `SUPREMUM_OPTIMISED`.

use promo::{F32, FuseBackend, InterpretedReason, Tensor, fuse_backend, tensor};

#[test]
fn loops_follow_the_optimisation_of_the_crate() {
    let is_optimised = option_env!("SUPREMUM_OPTIMISED").is_some() || !cfg!(debug_assertions);
    let x: Tensor<F32> = tensor![1.0, 2.0];
    let unoptimised = FuseBackend::Interpreted(InterpretedReason::Unoptimised);
    let backend = fuse_backend!(x * 2.0).expect("operands of one shape");
    assert_eq!(backend != unoptimised, is_optimised, "{backend}");
}
