//! Scans: cumulative sums and the like.

use std::borrow::Cow;

use super::cast::cast;
use super::reduce::op::Accumulate;
use crate::array::Array;
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::{DType, Element, Kind, c128};
use crate::error::Error;
use crate::op::each_scan;
use crate::simd::for_types;

/// Declares the scans and what their rows say, which `op/scan.rs` explains.
macro_rules! scans {
    ($($name:ident: $Op:ident, $accumulate:ident, $Combine:ident $combine:ident;)*) => {
        /// The operation that a scan repeats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum ScanOp {
            $($Op,)*
        }

        impl ScanOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op),*];

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => stringify!($name),)*
                }
            }

            const fn accumulate(self) -> Accumulate {
                match self {
                    $(Self::$Op => Accumulate::$accumulate,)*
                }
            }

            /// The operation that combines two elements.
            #[allow(dead_code, reason = "only traces and tests ask")]
            pub(crate) const fn combine(self) -> super::BinaryOp {
                match self {
                    $(Self::$Op => super::BinaryOp::$Combine,)*
                }
            }

            /// Combines each element with the one `inner` positions before it, within rows. Elements are converted to the
            /// type `T`, in which they are combined, and back.
            fn run<E: Element, T: ComputeType>(
                self,
                elements: &mut [E],
                [row, inner]: [usize; 2],
                to: impl Fn(E) -> T,
                from: impl Fn(T) -> E,
            ) {
                match self {
                    $(Self::$Op => each_row(elements, row, inner, |a, b| {
                        from(<T as ComputeType>::$combine(to(a), to(b)))
                    }),)*
                }
            }
        }
    };
}

each_scan!(kernels scans!);

/// Computes, at each position of an axis, the result for the elements up to it. Accumulates in the dtype of
/// [`reduce`](super::reduce()), but in sequence, and casts each result to `out`.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::UnsupportedDType`], [`Error::OutOfMemory`].
pub(crate) fn scan(op: ScanOp, x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
    let [before, dtype] = scan_dtypes(op, x, axis, out)?;
    let x = cast(Cow::Borrowed(x), before)?;
    let mut results = cast(Cow::Owned(x), dtype)?;
    let inner = results.shape()[axis + 1..].iter().product();
    let row = results.shape()[axis] * inner;
    if row > 0 {
        let sizes = [row, inner];
        for_types!(dtype, T in [
            DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64, DType::I8 => i8,
            DType::I16 => i16, DType::I32 => i32, DType::I64 => i64, DType::F32 => f32, DType::F64 => f64,
            DType::C128 => c128,
        ] => op.run::<T, T>(results.as_mut_slice()?, sizes, |x| x, |x| x), _ => {
            op.run(results.as_mut_slice()?, sizes, BoolByte::of, BoolByte::is_true)
        });
    }
    cast(Cow::Owned(results), out)
}

/// Returns the dtype to which elements are cast first, and the one in which they are combined.
///
/// # Errors
/// [`Error::AxisOutOfRange`]; [`Error::UnsupportedDType`] if the elements have no such operation.
pub(crate) fn scan_dtypes(
    op: ScanOp,
    x: &Array,
    axis: usize,
    out: DType,
) -> Result<[DType; 2], Error> {
    if axis >= x.rank() {
        return Err(Error::AxisOutOfRange {
            operation: op.name(),
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            rank: x.rank(),
        });
    }
    let accumulate = op.accumulate();
    let before = match accumulate.casts_first(x.dtype(), out) {
        true => out,
        false => x.dtype(),
    };
    let dtype = accumulate.dtype(before, out);
    // Complex numbers have sums and products, but no order.
    if accumulate == Accumulate::Element && dtype.kind() == Kind::Complex {
        return Err(Error::UnsupportedDType {
            operation: op.name(),
            dtype,
        });
    }
    Ok([before, dtype])
}

/// Combines each element with the one `inner` positions before it, within rows.
fn each_row<E: Copy>(elements: &mut [E], row: usize, inner: usize, combine: impl Fn(E, E) -> E) {
    for row in elements.chunks_exact_mut(row) {
        for at in inner..row.len() {
            row[at] = combine(row[at - inner], row[at]);
        }
    }
}
