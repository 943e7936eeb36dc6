//! The current trace of a thread, and the arrays that belong to it.

use core::cell::{Cell, RefCell};
use core::num::NonZeroU64;
use core::sync::atomic::{AtomicU64, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::graph::{Graph, Node};
use crate::array::{Array, Dims, Handle};
use crate::dtype::DType;
use crate::error::Error;

thread_local! {
    /// The trace of the innermost call of `trace` on this thread.
    static CURRENT: RefCell<Option<Trace>> = const { RefCell::new(None) };
    /// `true` if `CURRENT` is a trace. It is a `Cell` of its own because every `fuse!` reads it.
    static TRACING: Cell<bool> = const { Cell::new(false) };
}

struct Trace {
    /// Numbers are never reused, so that a tensor that outlives its trace is recognised.
    number: NonZeroU64,
    graph: Graph,
    /// The first operation that could not be traced.
    refused: Option<Error>,
}

/// The payload with which [`abort_trace`] unwinds from the traced function.
struct Refused;

/// Restores the outer trace when it is dropped, also if the traced function panics.
struct Outer(Option<Trace>);

impl Drop for Outer {
    fn drop(&mut self) {
        set(self.0.take());
    }
}

fn set(trace: Option<Trace>) -> Option<Trace> {
    TRACING.set(trace.is_some());
    CURRENT.replace(trace)
}

/// Returns whether this thread is in a call of `trace`.
#[inline]
pub(crate) fn is_tracing() -> bool {
    TRACING.get()
}

/// Runs a function in a new trace; returns the recorded graph and the function's result.
///
/// # Errors
/// The error of the function, or of the first operation that could not be traced.
pub(crate) fn record_function<T>(
    function: impl FnOnce() -> Result<T, Error>,
) -> Result<(Graph, T), Error> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let trace = Trace {
        number: NonZeroU64::new(number).unwrap_or(NonZeroU64::MAX),
        graph: Graph::default(),
        refused: None,
    };
    let outer = Outer(set(Some(trace)));
    let result = catch_unwind(AssertUnwindSafe(function));
    let trace = set(None);
    drop(outer);
    let Some(Trace { graph, refused, .. }) = trace else {
        unreachable!("inner traces put this one back");
    };
    match (result, refused) {
        (Err(payload), None) => resume_unwind(payload),
        (Err(payload), Some(error)) if payload.is::<Refused>() => Err(error),
        (Err(payload), Some(_)) => resume_unwind(payload),
        (Ok(_), Some(error)) => Err(error),
        (Ok(result), None) => Ok((graph, result?)),
    }
}

/// Calls a function with the graph of the current trace.
///
/// # Errors
/// [`Error::OutsideTrace`] if there is none.
pub(crate) fn with_graph<T>(
    operation: &'static str,
    work: impl FnOnce(&mut Graph) -> Result<T, Error>,
) -> Result<T, Error> {
    CURRENT.with_borrow_mut(|trace| match trace {
        Some(trace) => work(&mut trace.graph),
        None => Err(Error::OutsideTrace { operation }),
    })
}

/// Makes an array that stands for a value of the current trace. Its handle is the numbers of trace and value.
pub(crate) fn array(operation: &'static str, node: Node) -> Result<Array, Error> {
    CURRENT.with_borrow(|trace| match trace {
        Some(Trace { number, graph, .. }) => {
            let handle = Handle([number.get(), node.number().into()]);
            let (dtype, shape) = (graph.dtype(node), *graph.shape(node));
            Ok(Array::of_handle(dtype, shape, handle)?)
        }
        None => Err(Error::OutsideTrace { operation }),
    })
}

/// Makes an array that stands for a value of no trace: operations refuse it as one that has left its trace.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`].
pub(crate) fn stray(dtype: DType, shape: Dims) -> Array {
    // Traces are numbered from one.
    Array::of_handle(dtype, shape, Handle([0; 2]))
        .unwrap_or_else(|error| panic!("{}", Error::from(error)))
}

/// Returns the value that an array stands for; `None` for an array with elements.
///
/// # Errors
/// [`Error::OutsideTrace`] if the array belongs to another trace.
pub(crate) fn value_of(operation: &'static str, array: &Array) -> Result<Option<Node>, Error> {
    let Some(Handle([trace, value])) = array.handle() else {
        return Ok(None);
    };
    let current = CURRENT.with_borrow(|trace| trace.as_ref().map(|trace| trace.number.get()));
    match u32::try_from(value) {
        Ok(value) if current == Some(trace) => Ok(Some(Node::numbered(value))),
        _ => Err(Error::OutsideTrace { operation }),
    }
}

/// Checks that an array does not stand for a value of another trace.
///
/// # Errors
/// [`Error::OutsideTrace`].
pub(crate) fn belongs(operation: &'static str, array: &Array) -> Result<(), Error> {
    value_of(operation, array).map(drop)
}

/// Checks that an array has elements, for an operation that needs them.
///
/// # Errors
/// [`Error::Untraceable`] if it stands for a value; [`Error::OutsideTrace`] if that value belongs to another trace.
pub(crate) fn reads(operation: &'static str, array: &Array) -> Result<(), Error> {
    match value_of(operation, array)? {
        Some(_) => Err(Error::Untraceable { operation }),
        None => Ok(()),
    }
}

/// Ends the traced function at an operation that cannot be traced and returns no `Result`; `trace` then returns the
/// error. The operation cannot return a placeholder: a loop that waits for another value might never end.
///
/// # Panics
/// Outside of traces, with the error's text.
#[track_caller]
pub(crate) fn abort_trace(error: Error) -> ! {
    let traced = CURRENT.with_borrow_mut(|trace| match trace {
        Some(trace) => {
            trace.refused.get_or_insert_with(|| error.clone());
            true
        }
        None => false,
    });
    if traced {
        // `resume_unwind` does not call the panic hook, so nothing is printed.
        resume_unwind(Box::new(Refused));
    }
    panic!("{error}");
}

/// Unwraps the result of an operation that fails only on tensors of other traces, or ends the trace.
#[track_caller]
pub(crate) fn or_abort_trace<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| abort_trace(error))
}
