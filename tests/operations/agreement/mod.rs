//! Operands at which dtypes differ, and the comparison of what one way of computing gives with what another does.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::cell::Cell;

use supremum::dtype::cast::cast;
use supremum::{DType, DynTensor, Error, Jax, Rank2, Rules, StaticDType, Tensor, c128, dispatch};

/// Numbers at which dtypes differ, as far as each dtype has them.
pub(crate) const NUMBERS: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    -2.5,
    0.5,
    7.0,
    127.0,
    -128.0,
    255.0,
    448.0,
    65504.0,
    65535.0,
    1e-7,
    -6e-8,
    1e38,
    -1e300,
    5e-324,
    1e19,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Numbers that integers can divide by and be raised to.
pub(crate) const COUNTS: [f64; 5] = [1.0, 2.0, 3.0, 7.0, 300.0];

pub(crate) fn elements<D: StaticDType>(numbers: &[f64]) -> Vec<D::Element> {
    let complex = |i: usize| c128::new(numbers[i], numbers[(i + 5) % numbers.len()]);
    (0..numbers.len())
        .map(|i| {
            if D::DTYPE == DType::C64 || D::DTYPE == DType::C128 {
                cast(complex(i))
            } else {
                cast(numbers[i])
            }
        })
        .collect()
}

pub(crate) fn column<D: StaticDType, R: Rules>(numbers: &[f64]) -> Tensor<D, Rank2, R> {
    Tensor::from_vec(elements::<D>(numbers), [numbers.len(), 1]).expect("elements of that number")
}

pub(crate) fn row<D: StaticDType, R: Rules>(numbers: &[f64]) -> Tensor<D, Rank2, R> {
    Tensor::from_vec(elements::<D>(numbers), [1, numbers.len()]).expect("elements of that number")
}

/// All that a tensor is, but its rules.
pub(crate) fn bits(tensor: &DynTensor) -> (String, Vec<usize>, Vec<u8>) {
    let weak = if tensor.is_weak() { "*" } else { "" };
    let bytes = dispatch!(tensor.with_rules(Jax::RULE_SET), |t| {
        let elements = t.to_vec();
        elements
            .iter()
            .flat_map(|element| bytemuck::bytes_of(element).to_vec())
            .collect()
    });
    let dtype = format!("{}{weak}", tensor.dtype());
    (
        dtype,
        tensor.shape().to_vec(),
        bytes.expect("any dtype enters"),
    )
}

/// Returns whether the compiler would refuse.
pub(crate) fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::NoPromotion { .. }
            | Error::UnsafePromotion { .. }
            | Error::UndefinedOperation { .. }
    )
}

thread_local! {
    /// The number of results of typed code.
    pub(crate) static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// Compares what typed code gives, `None` if it does not compile, with what the dynamic tensor gives.
#[track_caller]
pub(crate) fn agree(
    what: &str,
    typed: Option<Result<DynTensor, Error>>,
    dynamic: Result<DynTensor, Error>,
) {
    match (typed, dynamic) {
        (None, Err(error)) => assert!(is_refusal(&error), "{what}: {error}"),
        (None, Ok(result)) => panic!("{what}: typed code is refused, dynamic gives {result}"),
        (Some(Ok(typed)), Ok(dynamic)) => {
            assert_eq!(typed.rules(), dynamic.rules(), "{what}");
            let ((dtype, shape, expected), (found_dtype, found_shape, found)) =
                (bits(&typed), bits(&dynamic));
            assert_eq!((dtype, shape), (found_dtype, found_shape), "{what}");
            // Not all bytes, which would fill the screen.
            let different = (0..expected.len()).find(|at| expected[*at] != found[*at]);
            assert_eq!(different, None, "{what}: the first byte that differs");
            COMPARED.set(COMPARED.get() + 1);
        }
        (Some(Err(typed)), Err(dynamic)) => assert_eq!(typed, dynamic, "{what}"),
        (Some(typed), dynamic) => panic!("{what}: typed {typed:?}, dynamic {dynamic:?}"),
    }
}
