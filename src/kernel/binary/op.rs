//! Operations on two operands, and the operands that they refuse.

use crate::dtype::compute::ComputeType;
use crate::dtype::format::Format;
use crate::dtype::{DType, Kind, compute_dtype};
use crate::error::Error;
use crate::op::{each_binary, easy_pairs, is_of_elements, is_plain, kind_of_row};

/// The pairs of packs for which a loop has a shorter way (`simd/by_case.rs`).
pub(in crate::kernel) enum EasyPairs {
    /// Those of [usual powers](ComputeType::is_usual_power).
    Power,
    /// Those of [short quotients](ComputeType::has_short_quotient).
    Quotient,
}

macro_rules! binary_op {
    ($($name:ident: $Op:ident $text:literal, $cost:literal => Itself {
        $($of:ident: $loop:ident |$($x:pat_param),+| $body:expr;)*
    })*) => {
        /// An operation on two operands of one dtype, in that dtype.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp {
            $($Op,)*
        }

        impl BinaryOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op),*];

            /// About how long it takes, in additions.
            // From a table: for a `match` LLVM makes a jump, which the fast path for small arrays takes too.
            #[inline]
            #[allow(clippy::as_conversions, reason = "a fieldless enum to its discriminant")]
            pub(in crate::kernel) const fn cost(self) -> usize {
                const COSTS: &[usize] = &[$($cost),*];
                COSTS[self as usize]
            }

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => $text,)*
                }
            }

            /// The dtype whose elements its loops take, if the operation is computed in `dtype`: the compute dtype, or
            /// `dtype` for operations on elements themselves.
            #[inline]
            pub(crate) const fn loop_dtype(self, dtype: DType) -> DType {
                let of_elements = match self {
                    $(Self::$Op => false $(|| is_of_elements!($loop))*,)*
                };
                if of_elements { dtype } else { compute_dtype(dtype) }
            }

            /// Returns whether it is computed for one pair of elements after the other in a dtype, instead of by vectors.
            pub(in crate::kernel) const fn is_plain(self, dtype: DType) -> bool {
                match self {
                    $(Self::$Op => match dtype.kind() {
                        $(kind_of_row!($of) => is_plain!($loop dtype),)*
                        #[allow(unreachable_patterns, reason = "operations of all kinds")]
                        _ => false,
                    },)*
                }
            }

            /// Returns the pairs of packs for which its loop has a shorter way.
            pub(in crate::kernel) const fn easy_pairs(self, dtype: DType) -> Option<EasyPairs> {
                match self {
                    $(Self::$Op => match dtype.kind() {
                        $(kind_of_row!($of) => easy_pairs!($loop),)*
                        #[allow(unreachable_patterns, reason = "operations of all kinds")]
                        _ => None,
                    },)*
                }
            }

            /// Returns whether it is a power of real numbers. Squares are the products that [`ComputeType::pow`] computes.
            pub(in crate::kernel) const fn is_real_power(self, dtype: DType) -> bool {
                matches!(
                    (self, dtype.kind()),
                    (Self::Pow, Kind::Float | Kind::Signed | Kind::Unsigned)
                )
            }

            /// Returns whether it is defined in a dtype.
            pub(crate) const fn is_defined(self, dtype: DType) -> bool {
                match self {
                    $(Self::$Op => matches!(dtype.kind(), $(kind_of_row!($of))|*),)*
                }
            }
        }
    };
}

each_binary!(kernels binary_op!);

/// The right operands that are errors: of integer division the zeros, of integer powers negative exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Check {
    Zero { operation: &'static str },
    Negative,
}

impl BinaryOp {
    /// The check of right operands of this dtype, if some of them are errors.
    #[inline]
    pub(crate) const fn check(self, dtype: DType) -> Option<Check> {
        match (self, dtype.kind()) {
            (Self::Div | Self::FloorDiv | Self::Rem, Kind::Signed | Kind::Unsigned) => {
                Some(Check::Zero {
                    operation: self.name(),
                })
            }
            (Self::Pow, Kind::Signed) => Some(Check::Negative),
            _ => None,
        }
    }
}

impl Check {
    /// Returns whether an element is an error.
    #[inline(always)]
    pub(in crate::kernel) fn refuses<T: Format>(self, element: T::Compute) -> bool {
        let zero = T::convert(0_u64);
        match self {
            Self::Zero { .. } => ComputeType::eq(element, zero),
            Self::Negative => ComputeType::lt(element, zero),
        }
    }

    /// Returns the error of an operation that was computed in `dtype`.
    pub(in crate::kernel) fn error(self, dtype: DType) -> Error {
        match self {
            Self::Zero { operation } => Error::DivisionByZero { operation, dtype },
            Self::Negative => Error::NegativeExponent { dtype },
        }
    }
}
