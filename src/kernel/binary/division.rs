//! Division of integers of 64 bits.
//!
//! Processors have no vector instruction for such divisions. But most divisors are one number for all elements, of which a loop gets a
//! block of copies. So the loop compares the divisors of its block. If they are equal, it multiplies by their reciprocal instead: two
//! million `i64` by 60 take a fifth of the time.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::slice;

use crate::dtype::DType;
use crate::dtype::compute::arithmetic::truncated_div;
use crate::dtype::compute::{Reciprocal, WideInteger};
use crate::simd::{Body, Isa, Kernel, for_level};

/// The least number of elements for which a reciprocal is prepared, which takes as long as three quotients.
const MIN_LEN: usize = 16;
/// The number of divisors that are compared before the loop may stop at a difference.
const COMPARED: usize = 32;

/// An operation by a divisor of each element, and by one prepared divisor.
trait Division<T: WideInteger> {
    fn by_each(dividend: T, divisor: T) -> T;
    fn by_all(dividend: T, divisor: &T::Reciprocal) -> T;
}

/// The loop of a division.
struct Quotients<T, D>(PhantomData<(T, D)>);

impl<T: WideInteger, D: Division<T>> Body for Quotients<T, D> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees two inputs.
        let (a, b) = unsafe { ((*inputs).cast::<T>(), (*inputs.add(1)).cast::<T>()) };
        let by = {
            // SAFETY: the caller guarantees `len` elements, aligned for them. The slice is gone before the first is written.
            let divisors = unsafe { slice::from_raw_parts(b, len) };
            common(divisors).and_then(T::Reciprocal::of)
        };
        let output = output.cast::<T>();
        let Some(by) = by else {
            // SAFETY: the caller guarantees `len` elements of both inputs and of the output.
            return unsafe { by_each::<T, D>(a, b, output, len) };
        };
        for at in 0..len {
            // SAFETY: `at < len`: the caller guarantees that these elements can be read and written. The output may be one of the inputs,
            // whose element is read before.
            unsafe { output.add(at).write(D::by_all(a.add(at).read(), &by)) };
        }
    }
}

/// Divides each element by its own divisor.
///
/// # Safety
/// `len` elements of both inputs can be read, and those of the output written. The output may be one of the inputs, but must not overlap
/// one otherwise.
// A function of its own, of the baseline: with AVX-512, LLVM packs quotients of single divisions into vectors, which takes 1.7 of the time.
#[inline(never)]
unsafe fn by_each<T: WideInteger, D: Division<T>>(
    a: *const T,
    b: *const T,
    output: *mut T,
    len: usize,
) {
    for at in 0..len {
        // SAFETY: `at < len`: the caller guarantees that these elements can be read and written. Both are read before the write.
        unsafe {
            output
                .add(at)
                .write(D::by_each(a.add(at).read(), b.add(at).read()))
        };
    }
}

/// Returns the divisor that all elements have, if they are worth a reciprocal.
#[inline(always)]
fn common<T: WideInteger>(divisors: &[T]) -> Option<T> {
    let first = *divisors.first()?;
    // Without an exit within a chunk, it is compared by vectors.
    let is_common = |chunk: &[T]| {
        let differs = |differs, divisor: &T| differs | (*divisor != first);
        !chunk.iter().fold(false, differs)
    };
    (divisors.len() >= MIN_LEN && divisors.chunks(COMPARED).all(is_common)).then_some(first)
}

macro_rules! divisions {
    ($($name:ident |$a:ident, $b:ident| $each:expr, |$by:ident| $all:expr;)*) => {$(
        /// Returns the loop of the operation on elements of a dtype of 64-bit integers.
        pub(super) fn $name(dtype: DType) -> Kernel {
            struct Operation;
            impl<T: WideInteger> Division<T> for Operation {
                #[inline(always)]
                fn by_each($a: T, $b: T) -> T {
                    $each
                }
                #[inline(always)]
                fn by_all($a: T, $by: &T::Reciprocal) -> T {
                    $all
                }
            }
            match dtype {
                DType::U64 => for_level::<Quotients<u64, Operation>>(),
                _ => for_level::<Quotients<i64, Operation>>(),
            }
        }
    )*};
}

divisions! {
    div |a, b| truncated_div(a, b), |by| by.truncated_div(a);
    rem |a, b| a.floor_rem(b), |by| by.floor_rem(a);
    floor_div |a, b| a.floor_div(b), |by| by.floor_div(a);
}
