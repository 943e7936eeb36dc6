//! Products of matrices of floats with few terms and few columns: colours, points and small layers.
//!
//! The libraries behind `gemm` copy both operands to panels. With a few terms each, copying takes most of the time. The
//! loop here copies only the right matrix, and pads its rows to whole vectors:
//!
//! ```text
//! for each few rows of the left matrix:                       (their sums stay in registers)
//!     for each term: sums of a row += element of the row * row of the right matrix
//!     write the sums of each row                              (those of the next row overwrite what fills the vector up)
//! ```
//!
//! Terms are added one after another, with fused multiply-adds where the processor has them, as `matrixmultiply` does,
//! so results have the same bits.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::factors::Factors;
use super::multiply_add::MultiplyAdd;
use crate::simd::{Body, Isa, Kernel, for_level, lanes, load, store};

/// The largest number of terms.
const MAX_INNER: usize = 64;
/// The largest number of columns.
const MAX_COLUMNS: usize = 32;

/// Returns the loop for these factors, whose contract is that of [`Number::product`](super::gemm::Number::product). `None` if a library should
/// multiply them.
pub(super) fn kernel<T: MultiplyAdd>(f: &Factors<T>) -> Option<Kernel> {
    let is_narrow = f.inner <= MAX_INNER && f.columns <= MAX_COLUMNS;
    is_narrow.then(for_level::<Narrow<T>>)
}

/// The loop. Its only input is a pointer to [`Factors`]; it ignores the length.
struct Narrow<T>(PhantomData<T>);

impl<T: MultiplyAdd> Body for Narrow<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        let output = output.cast::<T>();
        // SAFETY: the caller guarantees that the input points to live factors of this type, whose matrices can be read, and room for the
        // product. `kernel` has checked the sizes.
        unsafe {
            let f = &*(*inputs).cast::<Factors<T>>();
            match f.columns {
                0..=4 => multiply::<I, T, 4, 8>(f, output),
                5..=8 => multiply::<I, T, 8, 4>(f, output),
                9..=16 => multiply::<I, T, 16, 4>(f, output),
                _ => multiply::<I, T, 32, 2>(f, output),
            }
        }
    }
}

/// Multiplies, `ROWS` rows at a time, with sums in vectors of `N`.
///
/// # Safety
/// The matrices can be read, and the product can be written; there are at most `N` columns and [`MAX_INNER`] terms.
#[inline(always)]
unsafe fn multiply<I: Isa, T: MultiplyAdd, const N: usize, const ROWS: usize>(
    f: &Factors<T>,
    output: *mut T,
) {
    let mut right = MaybeUninit::<[[T; N]; MAX_INNER]>::uninit();
    let right = right.as_mut_ptr().cast::<[T; N]>();
    for term in 0..f.inner {
        let mut row = [T::ZERO; N];
        for (column, to) in row.iter_mut().enumerate().take(f.columns) {
            // SAFETY: the right matrix has this term and column.
            *to = unsafe { f.b.after(term, 0).after(column, 1).first.read() };
        }
        // SAFETY: there are at most `MAX_INNER` terms.
        unsafe { right.add(term).write(row) };
    }
    let right = right.cast_const();
    // Rows whose whole vector may be written: what fills it up lies within rows that are written later.
    let len = (f.rows - 1) * f.stride + f.columns;
    let whole = if f.stride == f.columns && len >= N {
        (len - N) / f.stride + 1
    } else {
        0
    };
    let mut row = 0;
    while row + ROWS <= whole {
        // SAFETY: `row + ROWS <= rows`, and each vector from these rows on ends within the product.
        unsafe {
            let sums = sums::<I, T, N, ROWS>(f, right, row);
            for (next, sums) in sums.into_iter().enumerate() {
                store(output.add((row + next) * f.stride), sums);
            }
        }
        row += ROWS;
    }
    while row < f.rows {
        // SAFETY: `row < rows`, and the product has room for the row's columns.
        unsafe {
            let [sums] = sums::<I, T, N, 1>(f, right, row);
            let to = output.add(row * f.stride);
            to.copy_from_nonoverlapping(sums.as_ptr(), f.columns);
        }
        row += 1;
    }
}

/// Returns the sums of `ROWS` rows from `row` on.
///
/// # Safety
/// The left matrix has these rows, and `right` as many rows as there are terms.
#[inline(always)]
unsafe fn sums<I: Isa, T: MultiplyAdd, const N: usize, const ROWS: usize>(
    f: &Factors<T>,
    right: *const [T; N],
    row: usize,
) -> [[T; N]; ROWS] {
    let [down, along] = f.a.strides;
    let mut sums = [[T::ZERO; N]; ROWS];
    let mut left = f.a.after(row, 0).first;
    for term in 0..f.inner {
        // SAFETY: the caller guarantees as many rows on the right as there are terms, and that the left matrix has these rows.
        unsafe {
            let b: [T; N] = load(right.add(term).cast());
            sums = lanes(|next| {
                let a = left.offset(next.cast_signed() * down).read();
                let sums = sums[next];
                lanes(|lane| T::multiply_add::<I>(a, b[lane], sums[lane]))
            });
        }
        left = left.wrapping_offset(along);
    }
    sums
}
