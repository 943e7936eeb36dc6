//! Graphs against the same operations, run one after the other.
#![allow(clippy::as_conversions, reason = "elements of positions")]

mod equal;
mod outputs;
mod random;
mod reductions;

use std::borrow::Cow;

use super::oracle::Oracle;
use crate::array::Array;
use crate::dtype::{Element, StaticDType, dispatch_dtype};

fn lend(x: &Array) -> Cow<'_, Array> {
    Cow::Borrowed(x)
}

fn array<E: Element>(elements: &[E], shape: &[usize]) -> Array {
    Array::from_elements(elements, shape).unwrap()
}

/// Returns whether two contiguous arrays have the same dtype, shape and bytes.
pub(super) fn is_identical(a: &Array, b: &Array) -> bool {
    let bytes = a.as_bytes();
    a.dtype() == b.dtype() && a.shape() == b.shape() && bytes.is_some() && bytes == b.as_bytes()
}

/// The elements are the same, except that NaNs may differ from one another.
#[track_caller]
pub(super) fn assert_same(found: &Array, expected: &Array, context: &str) {
    assert_eq!(found.dtype(), expected.dtype(), "{context}");
    assert_eq!(found.shape(), expected.shape(), "{context}");
    // Elements are compared one by one only if their bytes differ, because that takes long in a debug build.
    if let (Some(found), Some(expected)) = (found.as_bytes(), expected.as_bytes())
        && found == expected
    {
        return;
    }
    dispatch_dtype!(found.dtype(), D => {
        type E = <D as StaticDType>::Element;
        let pairs = found.iter::<E>().zip(expected.iter::<E>());
        for (at, (found, expected)) in pairs.enumerate() {
            assert!(Oracle::alike(found, expected), "{context}: {found:?} is not {expected:?} at {at}");
        }
    });
}
