//! The backend that `fuse_backend!` names is the one that runs.

use supremum::{
    C128, Error, F16, F32, F64, FuseBackend, I32, InterpretedReason, Rank1, Rank2, Tensor, fuse,
    fuse_backend, tensor, try_fuse,
};

use crate::{CALLS, counted};

/// Compiled loops call functions for whole chunks of 32 elements, the interpreter for those that there are.
fn is_compiled(calls: usize, len: usize) -> bool {
    assert!(
        calls == len || calls == len.next_multiple_of(32),
        "{calls} calls"
    );
    calls != len
}

fn calls(run: impl FnOnce()) -> usize {
    CALLS.set(0);
    run();
    CALLS.get()
}

/// In the usual profiles, of which those with debug assertions are not optimised. The test of `tests/downstream` is
/// run in others too.
fn expected() -> FuseBackend {
    if cfg!(debug_assertions) {
        FuseBackend::Interpreted(InterpretedReason::Unoptimised)
    } else {
        FuseBackend::Compiled
    }
}

#[test]
fn it_follows_the_optimisation_and_is_what_runs() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0, 5.0];
    let backend = fuse_backend!(counted(x) * 2.0).unwrap();
    assert_eq!(backend, expected());
    let calls = calls(|| assert_eq!(fuse!(counted(x) * 2.0).to_vec()[4], 12.0));
    assert_eq!(is_compiled(calls, 5), backend == FuseBackend::Compiled);
}

#[test]
fn broadcasts_are_compiled_unless_a_part_is_smaller() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    let whole = fuse_backend!(counted(x + row)).unwrap();
    assert_eq!(whole, expected());
    let calls_of_rows = calls(|| drop(fuse!(counted(x + row))));
    if whole == FuseBackend::Compiled {
        assert!(calls_of_rows > 6, "{calls_of_rows} calls");
    } else {
        assert_eq!(calls_of_rows, 6);
    }
    let part = fuse_backend!(x + counted(row)).unwrap();
    if expected() == FuseBackend::Compiled {
        let smaller = InterpretedReason::SmallerPart;
        assert_eq!(part, FuseBackend::Interpreted(smaller));
    } else {
        assert_eq!(part, expected());
    }
    assert_eq!(calls(|| drop(fuse!(x + counted(row)))), 3);
}

#[test]
fn every_operation_is_compiled() {
    let n: Tensor<I32> = tensor![7, 8];
    assert_eq!(fuse_backend!(n % n), Ok(expected()));
    assert_eq!(fuse_backend!(n.floor_div(n).pow(n)), Ok(expected()));
    assert_eq!(fuse_backend!((n % n).sum()), Ok(expected()));
    assert_eq!(fuse_backend!(n.pow(2)), Ok(expected()));
    let x: Tensor<F64> = tensor![0.5, 2.0];
    assert_eq!(fuse_backend!(x.pow(x)), Ok(expected()));
    assert_eq!(fuse_backend!(x.cast::<F16>().pow(2)), Ok(expected()));
    assert_eq!(fuse_backend!(x.pow(n) + x.pow(0.5)), Ok(expected()));
    let z = x.cast::<C128>();
    assert_eq!(fuse_backend!(z.sqrt().ln() + z.pow(z)), Ok(expected()));
    // A function would be called a second time where an operation fails.
    let reason = FuseBackend::Interpreted(InterpretedReason::Operation);
    let x: Tensor<F32, Rank1> = tensor![7.0, 8.0];
    let called = fuse_backend!(counted(x).cast::<I32>() % 3).unwrap();
    assert_eq!(called, reason);
    assert_eq!(
        called.to_string(),
        "interpreted: an operation has no loop, or can fail beside a user's function"
    );
    let zero: Tensor<I32> = tensor![0, 1];
    let calls = calls(|| {
        let error = try_fuse!(counted((n % zero).cast::<F32>())).unwrap_err();
        assert_eq!(error, n.try_rem(&zero).unwrap_err());
    });
    assert_eq!(calls, 0);
}

#[test]
fn most_reductions_are_compiled() {
    let x: Tensor<F32, Rank2> = Tensor::ones([40, 100]);
    assert_eq!(fuse_backend!((x * x).sum()), Ok(expected()));
    assert_eq!(fuse_backend!((x * x).mean_axis(0)), Ok(expected()));
    assert_eq!(fuse_backend!((x * x).std_keepdims(1)), Ok(expected()));
    let turned = x.transpose();
    for without in [
        fuse_backend!((x * x).argmax()),
        fuse_backend!((x * turned.slice(0, 0..100).transpose()).nan_sum()),
    ] {
        let without = without.unwrap();
        if expected() == FuseBackend::Compiled {
            let reason = InterpretedReason::Reduction;
            assert_eq!(without, FuseBackend::Interpreted(reason));
            assert_eq!(
                without.to_string(),
                "interpreted: a reduction without a loop"
            );
        } else {
            assert_eq!(without, expected());
        }
    }
    assert!(matches!(
        fuse_backend!((x * x).sum_axis(2)),
        Err(Error::AxisOutOfRange { .. })
    ));
    let x: Tensor<F32> = tensor![7.0, 8.0];
    let other: Tensor<F32> = tensor![1.0, 2.0, 3.0];
    assert!(matches!(
        fuse_backend!(x + other),
        Err(Error::ShapeMismatch { .. })
    ));
}
