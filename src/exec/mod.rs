//! Run or record: the operations, views and reads of elements that tensors call.
//!
//! In a trace, an array may stand for a value that is not computed yet: a *tracer*. Only this layer checks for tracers.
//! Each function here has the name and the arguments of the kernel's function. It first tries the kernel's fast path, if there is
//! one. Fast paths require contiguous arrays, and a tracer is never contiguous. Then `record_if_traced!` checks the operands: if one
//! is a tracer, the function of the same name in `trace/record/` records the operation; otherwise the kernel runs it. So neither the
//! kernels nor `array/` know traces. The functions are inlined: without the feature `stablehlo` they call the kernel directly.
//!
//! - `operations.rs`, `order.rs`, `views.rs`: functions that give arrays;
//! - `elements.rs`: functions that give elements, which refuse tracers;
//! - `part.rs`: writes to parts of arrays;
//! - `graph.rs`: the graph of a `fuse!` expression, which in a trace runs each step at once.

/// If one of the operands is a tracer, records the operation and returns the recorded result from the surrounding
/// function, converted to its return type. Expands to nothing without the feature `stablehlo`.
macro_rules! record_if_traced {
    ([$($operand:expr),+] => $record:ident($($argument:expr),* $(,)?)) => {
        #[cfg(feature = "stablehlo")]
        if $($crate::exec::IsTraced::is_traced(&$operand))||+ {
            return $crate::trace::record::$record($($argument),*).into();
        }
    };
}

mod elements;
mod graph;
mod operations;
mod order;
mod part;
#[cfg(all(test, feature = "stablehlo"))]
mod tests;
mod views;

#[allow(
    unused_imports,
    reason = "it depends on the features which of these are used"
)]
pub(crate) use elements::{
    as_mut_slice, copied, element, element_mut, expect_concrete, get, iter, require_concrete,
    row_major, to_bytes, to_vec,
};
pub(crate) use graph::{Graph, Value};
pub(crate) use operations::{
    Sequence, arg_reduce, argwhere, binary, cast, cast_saturating, clamp, compare, concat, conv,
    conv_transpose, count_nonzero, masked_select, matmul, pad, pad_with, reduce, scan, select,
    sequence, softmax, sum_of_squares, take, take_along_axis, triangle, try_cast, unary,
};
pub(crate) use order::{
    argsort, bincount, check_edges, histogram, is_in_table, one_hot, order_statistics, scatter,
    searchsorted, searchsorted_rows, sort, unique_counts, unique_index, unique_inverse,
    unique_values,
};
pub(crate) use part::{PartMut, PartsMut, set, set_element};
pub(crate) use views::{
    broadcast_to, contiguous, diagonal, flip, index_axis, permute, reshape, slice, squeeze,
    unsqueeze, windows,
};

use crate::array::{Array, OpResult};
use crate::error::Error;

/// Operands that may be tracers.
#[cfg(feature = "stablehlo")]
trait IsTraced {
    fn is_traced(&self) -> bool;
}

#[cfg(feature = "stablehlo")]
mod is_traced {
    use std::borrow::Cow;

    use super::IsTraced;
    use crate::array::{Array, Datum};

    impl IsTraced for Array {
        #[inline]
        fn is_traced(&self) -> bool {
            self.has_handle()
        }
    }

    impl<T: IsTraced + ?Sized> IsTraced for &T {
        #[inline]
        fn is_traced(&self) -> bool {
            T::is_traced(self)
        }
    }

    impl<T: IsTraced> IsTraced for [T] {
        fn is_traced(&self) -> bool {
            self.iter().any(T::is_traced)
        }
    }

    impl IsTraced for Cow<'_, Array> {
        #[inline]
        fn is_traced(&self) -> bool {
            self.has_handle()
        }
    }

    impl IsTraced for Datum<'_> {
        #[inline]
        fn is_traced(&self) -> bool {
            matches!(self, Self::Array(array) if array.has_handle())
        }
    }
}

/// Returns whether `stablehlo::trace` is running a function on this thread.
#[inline]
pub(crate) fn is_tracing() -> bool {
    #[cfg(feature = "stablehlo")]
    return crate::trace::is_tracing();
    #[cfg(not(feature = "stablehlo"))]
    false
}

/// Checks that an operand is not a tracer of another trace.
///
/// # Errors
/// `Error::OutsideTrace`.
#[inline]
pub(crate) fn require_current(operation: &'static str, array: &Array) -> Result<(), Error> {
    #[cfg(feature = "stablehlo")]
    return crate::trace::belongs(operation, array);
    #[cfg(not(feature = "stablehlo"))]
    {
        let _ = (operation, array);
        Ok(())
    }
}

/// The error of a part that was borrowed in a trace and has left it.
fn outside_trace(operation: &'static str) -> Error {
    #[cfg(feature = "stablehlo")]
    return Error::OutsideTrace { operation };
    #[cfg(not(feature = "stablehlo"))]
    unreachable!("{operation}: no part is borrowed in a trace")
}

/// Panics with the text of an error. If the error is that an operation cannot be traced, it ends the traced function instead.
#[cold]
#[track_caller]
fn fail(error: Error) -> ! {
    #[cfg(feature = "stablehlo")]
    if let Error::Untraceable { .. } | Error::OutsideTrace { .. } = error {
        crate::trace::abort_trace(error)
    }
    panic!("{error}")
}

/// Unwraps the result of a `try_` method, or panics with the text of its error.
#[track_caller]
pub(crate) fn or_panic<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(error),
    }
}

/// Unwraps the result of a step of a trace, or ends the traced function with its error.
#[track_caller]
fn or_abort_trace<T>(result: Result<T, Error>) -> T {
    #[cfg(feature = "stablehlo")]
    return crate::trace::or_abort_trace(result);
    #[cfg(not(feature = "stablehlo"))]
    or_panic(result)
}

impl OpResult {
    /// Returns the array.
    ///
    /// # Panics
    /// With the error's text. An operand of another trace ends the traced function instead.
    #[inline]
    #[track_caller]
    pub(crate) fn array_or_panic(self) -> Array {
        match self.whole() {
            Ok(array) => array,
            Err(other) => or_panic(*other),
        }
    }
}
