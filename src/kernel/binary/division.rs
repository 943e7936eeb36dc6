//! Division of integers.
//!
//! Most divisors are one number for all elements, of which a loop gets a block of copies. So the loop compares the divisors of its block.
//! If they are equal, it multiplies by their reciprocal instead: two million `i64` by 60 take a fifth of the time. Processors have no
//! vector instruction for the other divisions of 64 bits. Those of up to 32 bits are made of divisions of floats
//! (`dtype/compute/division.rs`).
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::slice;

use crate::dtype::DType;
use crate::dtype::compute::arithmetic::truncated_div;
use crate::dtype::compute::{Integer, Reciprocal};
use crate::simd::{
    Body, Isa, Kernel, LANES, black_box_usize, for_level, for_types, lanes, load, map2, store,
};

/// The least number of elements for which a reciprocal is prepared, which takes as long as three quotients.
const MIN_LEN: usize = 16;
/// The number of bytes of divisors that are compared before the loop may stop at a difference.
const COMPARED: usize = 256;

/// An operation by a divisor of each element, and by one prepared divisor.
trait Division<T: Integer> {
    fn by_each(dividend: T, divisor: T) -> T;
    fn by_all(dividend: T, divisor: &T::Reciprocal) -> T;
}

/// The loop of a division.
struct Quotients<T, D>(PhantomData<(T, D)>);

impl<T: Integer, D: Division<T>> Body for Quotients<T, D> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees two inputs.
        let (a, b) = unsafe { ((*inputs).cast::<T>(), (*inputs.add(1)).cast::<T>()) };
        let by = {
            // SAFETY: the caller guarantees `len` elements, aligned for them. The slice is gone before the first is written.
            let divisors = unsafe { slice::from_raw_parts(b, len) };
            common(divisors).and_then(T::Reciprocal::of)
        };
        let has_vectors = const { size_of::<T>() <= 4 };
        let Some(by) = by else {
            // SAFETY: the caller guarantees `len` elements of both inputs and of the output, which overlaps an input in place at most.
            return unsafe {
                match has_vectors {
                    true => map2(D::by_each)(inputs, output, len),
                    false => by_each::<T, D>(a, b, output.cast(), len),
                }
            };
        };
        let output = output.cast::<T>();
        let mut done = 0;
        while has_vectors && len - done >= LANES {
            // SAFETY: `done + LANES <= len`: the caller guarantees that these elements can be read and written. The output may be the
            // input, whose elements are read before.
            unsafe {
                let pack = load::<_, LANES>(a.add(done));
                let quotients = lanes::<_, LANES>(|lane| D::by_all(pack[lane], &by));
                store(output.add(done), quotients);
            }
            done = black_box_usize(done + LANES);
        }
        for at in done..len {
            // SAFETY: `at < len`: the caller guarantees that these elements can be read and written. The output may be the input, whose
            // element is read before.
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
unsafe fn by_each<T: Integer, D: Division<T>>(
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
fn common<T: Integer>(divisors: &[T]) -> Option<T> {
    let first = *divisors.first()?;
    // Without an exit within a chunk, it is compared by vectors.
    let is_common = |chunk: &[T]| {
        let differs = |differs, divisor: &T| differs | (*divisor != first);
        !chunk.iter().fold(false, differs)
    };
    (divisors.len() >= MIN_LEN && divisors.chunks(COMPARED / size_of::<T>()).all(is_common))
        .then_some(first)
}

macro_rules! divisions {
    ($($name:ident |$a:ident, $b:ident| $each:expr, |$by:ident| $all:expr;)*) => {$(
        /// Returns the loop of the operation on elements of a dtype of integers.
        pub(super) fn $name(dtype: DType) -> Kernel {
            struct Operation;
            impl<T: Integer> Division<T> for Operation {
                #[inline(always)]
                fn by_each($a: T, $b: T) -> T {
                    $each
                }
                #[inline(always)]
                fn by_all($a: T, $by: &T::Reciprocal) -> T {
                    $all
                }
            }
            for_types!(dtype, T in [
                DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
                DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
            ] => for_level::<Quotients<T, Operation>>(), _ => for_level::<Quotients<i64, Operation>>())
        }
    )*};
}

divisions! {
    div |a, b| truncated_div(a, b), |by| by.truncated_div(a);
    rem |a, b| a.floor_rem(b), |by| by.floor_rem(a);
    floor_div |a, b| a.floor_div(b), |by| by.floor_div(a);
}
