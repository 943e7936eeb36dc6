//! Reductions: what each combines, in which dtype, and its last step.

use crate::dtype::{DType, Kind, compute_dtype};
use crate::kernel::accumulate::FoldOp;
use crate::op::each_reduction;

/// Declares the reductions and what their rows say, which `op/reduction.rs` explains.
macro_rules! reductions {
    ($($name:ident: $Op:ident $({ $field:ident: $value:literal })?, $accumulate:ident, $fold:ident => $Result:ident;)*) => {
        /// The operation that reduces the elements along the reduced axes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ReduceOp {
            $($Op $({ $field: usize })?,)*
        }

        impl ReduceOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op $({ $field: $value })?),*];

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op $({ $field: _ })? => stringify!($name),)*
                }
            }

            pub(crate) const fn accumulate(self) -> Accumulate {
                match self {
                    $(Self::$Op $({ $field: _ })? => Accumulate::$accumulate,)*
                }
            }

            pub(crate) const fn fold(self) -> FoldOp {
                match self {
                    $(Self::$Op $({ $field: _ })? => FoldOp::$fold,)*
                }
            }

            pub(crate) const fn finish(self) -> Finish {
                match self {
                    $(Self::$Op $({ $field })? => Finish::$Result $({ $field })?,)*
                }
            }
        }
    };
}

each_reduction!(kernels reductions!);

/// The last step of a reduction, once all elements are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    Itself,
    /// Divided by the number of elements that were added; NaN if there are none.
    Mean,
    /// The squared deviations from the mean, divided by the number of elements less `ddof`.
    Variance {
        ddof: usize,
    },
    /// The root of [`Self::Variance`].
    Deviation {
        ddof: usize,
    },
}

/// The dtype in which elements are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accumulate {
    /// Booleans.
    Truth,
    /// The compute dtype of the elements.
    Element,
    /// The widest dtype of the result's kind, but `f32` for small floats.
    Wide,
    /// The widest float or complex dtype, but `f32` for small floats.
    Inexact,
}

impl Accumulate {
    /// The dtype for elements of dtype `x` and a result of dtype `out`.
    pub(crate) const fn dtype(self, x: DType, out: DType) -> DType {
        match self {
            Self::Truth => DType::Bool,
            Self::Element => compute_dtype(x),
            Self::Wide => match (out.kind(), x.kind()) {
                (Kind::Bool, _) => DType::Bool,
                (Kind::Signed | Kind::Unsigned, Kind::Signed) => DType::I64,
                (Kind::Signed | Kind::Unsigned, _) => DType::U64,
                (Kind::Float, _) => float_accumulator(x, out),
                (Kind::Complex, _) => DType::C128,
            },
            Self::Inexact if matches!(x.kind(), Kind::Complex) => DType::C128,
            Self::Inexact => float_accumulator(x, out),
        }
    }

    /// Returns whether elements are cast to `out` before they are combined, as NumPy does: if that dtype cannot represent them.
    pub(in crate::kernel) const fn casts_first(self, x: DType, out: DType) -> bool {
        match (self, x.kind(), out.kind()) {
            (Self::Truth | Self::Element, _, _) => false,
            // An imaginary part would be dropped.
            (_, Kind::Complex, out) => !matches!(out, Kind::Complex),
            // Floats would be truncated.
            (Self::Wide, Kind::Float, out) => !out.is_inexact(),
            _ => false,
        }
    }
}

const fn float_accumulator(x: DType, out: DType) -> DType {
    match compute_dtype(out) {
        DType::F32 if x.is_small_float() => DType::F32,
        _ => DType::F64,
    }
}

/// Returns whether elements are cast to `out` before they are reduced. For a variance they are not: the variance of complex numbers is
/// real, and both parts contribute to it.
pub(crate) fn casts_first(op: ReduceOp, x: DType, out: DType) -> bool {
    matches!(op.finish(), Finish::Itself | Finish::Mean) && op.accumulate().casts_first(x, out)
}
