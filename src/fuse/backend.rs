//! `fuse_backend!`: reports how an expression would be evaluated, without evaluating it.

use core::fmt;

use super::run::{Evaluate, is_tracing};
use super::{Bindings, CallSite, Compilation, Expression, Fused};
use crate::array::Dims;
use crate::error::Error;

/// The way in which a [`fuse!`](crate::fuse) expression is evaluated; [`fuse_backend!`](crate::fuse_backend) returns
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FuseBackend {
    /// By a loop that was compiled for this expression.
    Compiled,
    /// Operation by operation, by loops of the library.
    Interpreted(InterpretedReason),
    /// Not at all: `stablehlo::trace` records it.
    Traced,
}

/// Why an expression is not evaluated by a compiled loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InterpretedReason {
    /// The crate of the expression is compiled with an `opt-level` other than 2 and 3, so its loops would be slower
    /// than the library's.
    Unoptimised,
    /// The expression is a reduction without a loop: `argmin`, `argmax` or one that skips NaN, a product of complex numbers, or a reduction of
    /// more than six tensors.
    Reduction,
    /// An operation has no loop: a power whose literal exponent is a negative integer or beyond 16, or a comparison of `U64` with
    /// signed integers by value. Or an operation that can fail, such as integer division, stands beside a user's function, which
    /// must not be called for values that take the place of errors. Or there are more than eight tensors.
    Operation,
    /// A part of the expression has a smaller shape than the whole, and must be computed once: it calls a user's function, or it is costly and
    /// can fail. Or it would be the ninth input of the loop.
    SmallerPart,
}

impl fmt::Display for FuseBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compiled => f.write_str("compiled loop"),
            Self::Interpreted(reason) => write!(f, "interpreted: {reason}"),
            Self::Traced => f.write_str("traced"),
        }
    }
}

impl fmt::Display for InterpretedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unoptimised => "the crate is not compiled with opt-level 2 or 3",
            Self::Reduction => "a reduction without a loop",
            Self::Operation => "an operation has no loop, or can fail beside a user's function",
            Self::SmallerPart => "a part is smaller than the whole",
        })
    }
}

/// Implements `fuse_backend!(..)`.
///
/// # Errors
/// The errors that follow from shapes and literals, without looking at elements.
pub fn backend<S: CallSite, B: Bindings, E: Evaluate>(
    bindings: &B,
    x: &E,
) -> Result<FuseBackend, Error> {
    x.backend::<S, B>(bindings)
}

impl<E: Expression> Fused<E> {
    /// Takes the same decisions as [`Evaluate::evaluate`], without evaluating.
    pub(super) fn backend_of<S: CallSite, B: Bindings>(
        &self,
        bindings: &B,
    ) -> Result<FuseBackend, Error> {
        use InterpretedReason::{Operation, SmallerPart, Unoptimised};
        let graph = || self.erased().graph();
        if is_tracing() {
            return Ok(FuseBackend::Traced);
        }
        let interpreted = |reason| graph().map(|_| FuseBackend::Interpreted(reason));
        if const { !Self::has_loop::<B>() } {
            return interpreted(Operation);
        }
        S::Compilation::choose(
            || {
                self.compiled::<S, B, _>(bindings, ((), None), |code| match code {
                    Some(code) if code.has_shape(None, &mut Dims::default()) => {
                        Ok(FuseBackend::Compiled)
                    }
                    // The graph has the error if shapes do not broadcast or a literal does not convert.
                    Some(_) => interpreted(SmallerPart),
                    None => interpreted(Operation),
                })
            },
            || interpreted(Unoptimised),
        )
    }
}
