//! Functions that cannot be traced, and tensors that left their trace.

use std::cell::RefCell;

use supremum::prelude::*;
use supremum::stablehlo::{self, Outputs, input};
use supremum::{elementwise, try_fuse};

use super::{names, traced};

#[test]
fn division_by_a_literal_zero_is_refused_and_by_tensors_recorded() {
    let error = stablehlo::trace(input::<I32, _>([2]), |x| x.try_rem(0)).unwrap_err();
    assert!(matches!(error, Error::DivisionByZero { .. }));
    let inputs = (input::<I32, _>([2]), input::<I32, _>([2]));
    assert!(stablehlo::trace(inputs, |(a, b)| (a.floor_div(&b), a.pow(&b))).is_ok());
}

/// The operation that ended a trace, by name.
#[track_caller]
pub(super) fn refused<O: Outputs>(read: impl FnOnce(Tensor<F32, Rank1>) -> O) -> &'static str {
    match stablehlo::trace(input::<F32, _>([1]), read) {
        Err(Error::Untraceable { operation }) => operation,
        other => panic!("{other:?}"),
    }
}

/// The same of a function that gives no tensors, and would not end if it saw elements.
#[track_caller]
fn refused_at_once(read: impl FnOnce(Tensor<F32, Rank1>)) -> &'static str {
    refused(|x| {
        read(x);
        unreachable!("the function is ended");
        #[expect(unreachable_code, reason = "says what the closure would give")]
        Vec::<DynTensor>::new()
    })
}

elementwise! {
    fn cubed(x: f32) -> f32 {
        x * x * x
    }
}

#[test]
fn reading_elements_is_refused_by_name() {
    assert_eq!(refused_at_once(|x| drop(x.to_vec())), "to_vec");
    assert_eq!(refused_at_once(|x| assert!(x.get(&[0]).is_some())), "get");
    assert_eq!(
        refused_at_once(|x| assert!(x.iter().next().is_some())),
        "iter"
    );
    assert_eq!(refused_at_once(|x| drop(x.to_string())), "printing");
    assert_eq!(refused_at_once(|x| drop(format!("{x:?}"))), "printing");
    assert_eq!(refused_at_once(|x| assert!(x == x.clone())), "==");
    assert_eq!(
        refused_at_once(|x| assert!(x.approx_eq(&x, 0.0, 0.0))),
        "approx_eq"
    );
    assert_eq!(
        refused_at_once(|mut x| x.as_mut_slice()[0] = 1.0),
        "as_mut_slice"
    );
    assert_eq!(refused_at_once(|x| assert!(x[0] > 0.0)), "index");
    assert_eq!(refused_at_once(|mut x| x[0] = 1.0), "index");
    assert_eq!(refused_at_once(|x| drop(x.map(f32::sqrt))), "map");
    assert_eq!(
        refused_at_once(|mut x| x.slice_mut(0, ..).map_inplace(f32::sqrt)),
        "map_inplace"
    );
    assert_eq!(
        refused_at_once(|mut x| x.slice_mut(0, ..)[0] = 1.0),
        "index"
    );
    assert_eq!(
        refused_at_once(|mut x| assert!(x.view_mut().get(&[0]).is_some())),
        "get"
    );
    assert_eq!(
        refused_at_once(|x| x.zeros_like().zip_mut_with(&x, |_, _| ())),
        "zip_mut_with"
    );
    assert_eq!(refused(|x| x.try_get(&[0]).map(|_| x)), "get");
    assert_eq!(
        refused_at_once(|x| assert!(!x.view_ndarray().is_empty())),
        "view_ndarray"
    );
    assert_eq!(refused_at_once(|x| drop(x.to_ndarray())), "to_vec");
    assert_eq!(refused_at_once(|x| drop(x.into_dlpack())), "into_dlpack");
    let shared = |x: Tensor<F32, Rank1>| drop(x.clone().into_dlpack_legacy());
    assert_eq!(refused_at_once(shared), "into_dlpack_legacy");
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/traced.npy");
    let written = |x: Tensor<F32, Rank1>| drop(x.write_npy(file));
    assert_eq!(refused_at_once(written), "writing elements");
    assert!(!std::path::Path::new(file).exists());
    assert_eq!(refused_at_once(|x| drop(fuse!(cubed(x)))), "cubed");
    assert_eq!(refused(|x| x.item().map(|_| x)), "item");
    assert_eq!(refused(|x| x.try_cast::<F16>()), "try_cast");
    assert_eq!(refused(|x| try_fuse!(cubed(x) + 1.0)), "cubed");
    // There is no slice to see, as of any tensor that is not row-major.
    assert!(
        stablehlo::trace(input::<F32, _>([1]), |x| {
            assert!(x.as_slice().is_none());
            x
        })
        .is_ok()
    );
    // A checked cast that every value passes needs no elements.
    assert!(stablehlo::trace(input::<F16, _>([1]), |x| x.try_cast::<F32>()).is_ok());
}

#[test]
fn reading_dynamic_tensors_is_refused_by_name() {
    fn refused<O: Outputs>(read: impl FnOnce(DynTensor) -> O) -> &'static str {
        self::refused(|x| read(x.into_dyn()))
    }
    assert_eq!(refused(|x| x.to_vec::<F32>().map(|_| x)), "to_vec");
    assert_eq!(refused(|x| x.iter::<F32>().map(|_| x.clone())), "iter");
    assert_eq!(refused(|x| x.item().map(|_| x)), "item");
    assert_eq!(refused(|x| x.try_cast(DType::F16)), "try_cast");
    assert_eq!(refused(|x| x.to_bytes().map(|_| x)), "to_bytes");
    assert_eq!(refused(|x| x.map(|x: f32| x)), "map");
    assert_eq!(
        refused(|mut x| x.map_inplace(|x: f32| x).map(|()| x)),
        "map_inplace"
    );
    assert_eq!(
        refused(|mut x| x.as_mut_slice::<F32>().map(drop).map(|()| x)),
        "as_mut_slice"
    );
    assert_eq!(
        refused(|mut x| x.iter_mut::<F32>().map(drop).map(|()| x)),
        "iter_mut"
    );
    assert_eq!(
        refused(|mut x| {
            let other = x.clone();
            x.zip_mut_with(&other, |_: &mut f32, _: f32| ()).map(|()| x)
        }),
        "zip_mut_with"
    );
    assert_eq!(
        refused(|mut x| x.view_mut().map_inplace(|x: f32| x).map(|()| x.clone())),
        "map_inplace"
    );
    assert_eq!(
        refused(|x| x.approx_eq(&x, 0.0, 0.0).map(|_| x)),
        "approx_eq"
    );
    assert_eq!(
        refused_at_once(|x| assert!(x.into_dyn().get(&[0]).is_some())),
        "get"
    );
    assert_eq!(
        refused_at_once(|x| drop(x.into_dyn().to_string())),
        "printing"
    );
    assert_eq!(
        refused_at_once(|x| {
            let x = x.into_dyn();
            assert!(x == x.clone());
        }),
        "=="
    );
}

#[test]
fn the_first_refusal_counts_even_if_the_function_goes_on() {
    let traced = stablehlo::trace(input::<F32, _>([2]), |x| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| x.to_vec()));
        assert!(caught.is_err());
        x
    });
    assert!(matches!(
        traced,
        Err(Error::Untraceable {
            operation: "to_vec"
        })
    ));
}

/// A tensor that left its trace.
fn stray() -> Tensor<F32, Rank1> {
    let left = RefCell::new(None);
    let program = stablehlo::trace(input::<F32, _>([2]), |x| {
        left.replace(Some(x.clone()));
        x
    });
    assert!(program.is_ok());
    left.into_inner().unwrap()
}

#[test]
fn tensors_that_left_their_trace_are_refused() {
    let stray = stray();
    let is_outside = |result: Result<(), Error>| matches!(result, Err(Error::OutsideTrace { .. }));
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    assert!(is_outside(stray.try_add(&x).map(drop)));
    assert!(is_outside(x.try_mul(&stray).map(drop)));
    assert!(is_outside(stray.try_lt(&x).map(drop)));
    assert!(is_outside(stray.try_sum_axis(0).map(drop)));
    assert!(is_outside(stray.try_argmax_axis(0).map(drop)));
    assert!(is_outside(stray.try_reshape([2, 1]).map(drop)));
    assert!(is_outside(stray.try_dot(&x).map(drop)));
    assert!(is_outside(stray.item().map(drop)));
    assert!(is_outside(try_fuse!(x + stray).map(drop)));
    assert!(is_outside(try_fuse!((x + stray).sum()).map(drop)));
    let mut out = stray.clone();
    assert!(is_outside(try_fuse!(out += x)));
    let another = stablehlo::trace(input::<F32, _>([2]), |x| x.try_add(&stray));
    assert!(is_outside(another.map(drop)));
    // A method that returns no `Result` ends the trace with the same error. Outside of a trace it panics.
    let another = stablehlo::trace(input::<F32, _>([2]), |_| stray.exp());
    assert!(is_outside(another.map(drop)));
    let another = stablehlo::trace(input::<F32, _>([2]), |_| stray.clone());
    assert!(is_outside(another.map(drop)));
    assert!(std::panic::catch_unwind(|| stray.exp()).is_err());
    assert!(std::panic::catch_unwind(|| stray.to_vec()).is_err());
}

#[test]
fn other_threads_and_inner_traces_know_nothing_of_a_trace() {
    let program = stablehlo::trace(input::<F32, _>([2]), |x| {
        let elsewhere =
            std::thread::scope(|scope| scope.spawn(|| x.try_add(1.0).map(drop)).join().unwrap());
        assert!(matches!(elsewhere, Err(Error::OutsideTrace { .. })));
        let inner = stablehlo::trace(input::<F32, _>([2]), |y| y.try_add(&x));
        assert!(matches!(inner, Err(Error::OutsideTrace { .. })));
        let inner = stablehlo::trace(input::<F32, _>([2]), |y| y + 1.0);
        assert_eq!(inner.unwrap().operations(), 2);
        // The outer one goes on.
        x * 2.0
    });
    assert_eq!(program.unwrap().operations(), 2);
}

#[test]
fn a_panic_ends_the_trace_and_is_the_callers() {
    let caught = std::panic::catch_unwind(|| {
        stablehlo::trace(input::<F32, _>([2]), |x| {
            assert!(x.is_empty(), "the function's own");
            x
        })
    });
    let payload = caught.unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the function's own"));
    // Nothing is traced any more.
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y: Tensor<F32, Rank1> = fuse!(x * 2.0);
    assert_eq!(y.to_vec(), [2.0, 4.0]);
}

#[test]
fn tensors_with_elements_are_computed_as_ever_in_a_trace() {
    let program = traced(input::<F32, _>([2]), |x| {
        let known: Tensor<F32, Rank1> = tensor![1.0, 2.0];
        let fused = fuse!(cubed(known) + 1.0);
        assert_eq!(fused.to_vec(), [2.0, 9.0]);
        assert_eq!((&known + &known).sum().item(), Ok(6.0));
        x + fused
    });
    assert_eq!(names(&program), ["constant", "add"]);
}
