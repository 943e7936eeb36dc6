//! `fuse!` compiles loops if the crate that it stands in is optimised (`opt-level` 2 or 3), whatever debug assertions say and however the
//! library is compiled. `.ci/run` has this crate optimised while the library is not, with debug assertions, and sets
//! `SUPREMUM_OPTIMISED`.

use promo::{F32, FuseBackend, InterpretedReason, Tensor, fuse, fuse_backend, tensor};

#[test]
fn loops_follow_the_optimisation_of_the_crate() {
    let is_optimised = option_env!("SUPREMUM_OPTIMISED").is_some() || !cfg!(debug_assertions);
    let x: Tensor<F32> = tensor![1.0, 2.0];
    let unoptimised = FuseBackend::Interpreted(InterpretedReason::Unoptimised);
    let backend = fuse_backend!(x * 2.0).expect("operands of one shape");
    assert_eq!(backend != unoptimised, is_optimised, "{backend}");
}

/// Small expressions with reductions, for `scripts/mutants`: the optimised tests of the library take minutes to compile.
#[test]
fn loops_of_reductions_give_what_operations_give() {
    let x: Tensor<F32> = tensor![1.5, -2.0, 7.25, 0.5];
    let y: Tensor<F32> = tensor![3.0, 0.25, -1.0, 2.0];
    let product = &x * &y;
    assert_eq!(fuse!(x * y / (x * y).sum()), &product / product.sum());
    assert_eq!(fuse!(x.mean() - x.var()), x.mean() - x.var());
    assert_eq!(fuse!(x.std() - x.mean()), x.std() - x.mean());
}
