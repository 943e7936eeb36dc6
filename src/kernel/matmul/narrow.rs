//! Products of matrices with few terms and few columns: colours, points and small layers, and stacks of small matrices.
//!
//! The libraries behind `gemm` copy both operands to panels. With a few terms each, copying takes most of the time. The
//! loop here copies only the right matrix, and pads its rows to whole vectors:
//!
//! ```text
//! for each product of a stack:
//!     for each few rows of the left matrix:                   (their sums stay in registers)
//!         for each term: sums of a row += element of the row * row of the right matrix
//!         write the sums of each row                          (those of the next row overwrite what fills the vector up)
//! ```
//!
//! A product of floats with very few rows and many columns is the transposed one of few columns. Its loop keeps the sums of one column in a
//! vector, so that it writes them side by side.
//!
//! A product of very few rows and columns has its own loop, whatever the number of terms: all its sums stay in registers. It adds the sums of
//! 256 terms each, as `matrixmultiply` does, so that errors do not grow with all terms.
//!
//! Terms are added one after another, with fused multiply-adds where the processor has them, as `matrixmultiply` does.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use num_complex::Complex;

use super::factors::Factors;
use super::gemv::Number;
use super::multiply_add::MultiplyAdd;
use crate::simd::{Body, Isa, for_level, lanes, load, store};

/// The largest number of terms.
const MAX_INNER: usize = 64;
/// The number of rows and columns of a product whose sums stay in registers, with any number of terms.
const TILE: usize = 4;
/// The number of terms that are added to zero, before their sum is added to the sums of those before.
const TERMS: usize = 256;
/// The largest number of terms and of rows of a product whose transposed product is computed.
const MAX_TRANSPOSED: [usize; 2] = [16, 4];

/// The sizes of products of a kind of numbers for which the loops here are fastest.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The largest number of columns, at most 32.
    max_columns: usize,
    /// `true` if a product with very few rows is computed as the transposed product. For integers and complex numbers that loop is slower.
    transposes: bool,
}

impl Limits {
    pub(super) const OF_REALS: Self = Self {
        max_columns: 32,
        transposes: true,
    };
    pub(super) const OF_INTEGERS: Self = Self {
        max_columns: 32,
        transposes: false,
    };
    const OF_COMPLEX: Self = Self {
        max_columns: 8,
        transposes: false,
    };

    /// Returns whether [`multiply`] has a loop for these numbers of rows, terms and columns.
    pub(super) fn fit(self, [rows, inner, columns]: [usize; 3]) -> bool {
        let [max_inner, max_rows] = MAX_TRANSPOSED;
        rows.max(columns) <= TILE
            || inner <= MAX_INNER && columns <= self.max_columns
            || self.transposes && inner <= max_inner && rows <= max_rows
    }

    /// [`Self::fit`], with few terms.
    pub(super) fn fit_few_terms(self, sizes: [usize; 3]) -> bool {
        sizes[1] <= MAX_INNER && self.fit(sizes)
    }
}

/// A number whose products [`multiply`] computes.
pub(super) trait Limited: MultiplyAdd + Number {
    const LIMITS: Limits;
}

macro_rules! limited {
    ($($number:ident: $limits:ident;)*) => {$(
        impl Limited for $number {
            const LIMITS: Limits = Limits::$limits;
        }
    )*};
}

limited! {
    f32: OF_REALS;
    f64: OF_REALS;
    u32: OF_INTEGERS;
    u64: OF_INTEGERS;
}

impl<T> Limited for Complex<T>
where
    Complex<T>: MultiplyAdd + Number,
{
    const LIMITS: Limits = Limits::OF_COMPLEX;
}

/// Multiplies, if the sizes fit the limits. Returns whether they do.
///
/// # Safety
/// The matrices can be read, and the products can be written.
pub(super) unsafe fn multiply<T: Limited>(f: &Factors<T>, output: *mut u8) -> bool {
    if !T::LIMITS.fit([f.rows, f.inner, f.columns]) {
        return false;
    }
    let kernel = if f.inner > MAX_INNER {
        for_level::<Long<T>>()
    } else if const { T::LIMITS.transposes } && f.columns > T::LIMITS.max_columns {
        for_level::<Transposed<T>>()
    } else {
        for_level::<Narrow<T>>()
    };
    // SAFETY: the caller guarantees readable matrices, and room for the products; the loop was chosen for the sizes.
    unsafe { kernel(&(&raw const *f).cast(), output, f.columns) };
    true
}

/// The loop over terms. Its only input is a pointer to [`Factors`]; it ignores the length.
struct Long<T>(PhantomData<T>);

impl<T: MultiplyAdd + Number> Body for Long<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: the caller guarantees that the input points to live factors of this type.
        let f = unsafe { &*(*inputs).cast::<Factors<T>>() };
        for number in 0..f.count {
            let (one, offset) = f.product(number);
            // SAFETY: the caller guarantees matrices that can be read, and room for the products. `multiply` has checked the sizes.
            unsafe { multiply_terms::<I, T>(&one, output.cast::<T>().add(offset)) };
        }
    }
}

/// The loop over rows. Its only input is a pointer to [`Factors`]; it ignores the length.
struct Narrow<T>(PhantomData<T>);

impl<T: MultiplyAdd> Body for Narrow<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: the caller guarantees that the input points to live factors of this type.
        let f = unsafe { &*(*inputs).cast::<Factors<T>>() };
        for number in 0..f.count {
            let (one, offset) = f.product(number);
            let later = (f.count - number - 1) * f.rows * f.stride;
            // SAFETY: the caller guarantees matrices that can be read, and room for the products. `multiply` has checked the sizes.
            unsafe {
                let output = output.cast::<T>().add(offset);
                match f.columns {
                    0..=4 => multiply_rows::<I, T, 4, 8>(&one, output, later),
                    5..=8 => multiply_rows::<I, T, 8, 4>(&one, output, later),
                    9..=16 => multiply_rows::<I, T, 16, 4>(&one, output, later),
                    _ => multiply_rows::<I, T, 32, 2>(&one, output, later),
                }
            }
        }
    }
}

/// The loop over columns, which are the rows of the transposed product. Its only input is a pointer to [`Factors`]; it ignores the length.
struct Transposed<T>(PhantomData<T>);

impl<T: MultiplyAdd> Body for Transposed<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: the caller guarantees that the input points to live factors of this type.
        let f = unsafe { &*(*inputs).cast::<Factors<T>>() };
        for number in 0..f.count {
            let (one, offset) = f.product(number);
            let transposed = Factors {
                a: one.b.transposed(),
                b: one.a.transposed(),
                rows: f.columns,
                columns: f.rows,
                ..one
            };
            // SAFETY: the caller guarantees matrices that can be read, and room for the products. `multiply` has checked the sizes.
            unsafe {
                let output = output.cast::<T>().add(offset);
                multiply_columns::<I, T, { MAX_TRANSPOSED[1] }, 16>(&transposed, output);
            }
        }
    }
}

/// Multiplies, with all sums in registers. Rows and columns that fill the tile up are the last ones again.
///
/// # Safety
/// The matrices can be read, and the product can be written; there are at most [`TILE`] rows and columns.
#[inline(always)]
unsafe fn multiply_terms<I: Isa, T: MultiplyAdd + Number>(f: &Factors<T>, output: *mut T) {
    let mut rows = lanes::<_, TILE>(|row| f.a.after(row.min(f.rows - 1), 0).first);
    let mut columns = lanes::<_, TILE>(|column| f.b.after(column.min(f.columns - 1), 1).first);
    let mut sums = [[T::ZERO; TILE]; TILE];
    let mut left = f.inner;
    while left > 0 {
        let terms = left.min(TERMS);
        left -= terms;
        let mut block = [[T::ZERO; TILE]; TILE];
        for _ in 0..terms {
            // SAFETY: each address is that of a term of a row or a column.
            let [a, b] = unsafe {
                [
                    rows.map(|row| row.read()),
                    columns.map(|column| column.read()),
                ]
            };
            block = lanes(|row| {
                let sums = block[row];
                lanes(|column| T::multiply_add::<I>(a[row], b[column], sums[column]))
            });
            rows = rows.map(|row| row.wrapping_offset(f.a.strides[1]));
            columns = columns.map(|column| column.wrapping_offset(f.b.strides[0]));
        }
        sums = lanes(|row| lanes(|column| sums[row][column].plus(block[row][column])));
    }
    for (row, sums) in sums.into_iter().enumerate().take(f.rows) {
        for (column, sum) in sums.into_iter().enumerate().take(f.columns) {
            // SAFETY: the product has this row and this column.
            unsafe { output.add(row * f.stride + column).write(sum) };
        }
    }
}

/// Copies the right matrix, and pads its rows by zeros.
///
/// # Safety
/// The right matrix can be read, and has at most `N` columns. There is room for its rows.
#[inline(always)]
unsafe fn copy_right<T: MultiplyAdd, const N: usize>(f: &Factors<T>, right: *mut [T; N]) {
    for term in 0..f.inner {
        let mut row = [T::ZERO; N];
        for (column, to) in row.iter_mut().enumerate() {
            if column < f.columns {
                // SAFETY: the right matrix has this term and column.
                *to = unsafe { f.b.after(term, 0).after(column, 1).first.read() };
            }
        }
        // SAFETY: the caller guarantees room for as many rows as there are terms.
        unsafe { right.add(term).write(row) };
    }
}

/// Multiplies, `ROWS` rows at a time, with sums in vectors of `N`.
///
/// # Safety
/// The matrices can be read, and the product can be written; there are at most `N` columns and [`MAX_INNER`] terms. `later` elements after
/// the product can be written too.
#[inline(always)]
unsafe fn multiply_rows<I: Isa, T: MultiplyAdd, const N: usize, const ROWS: usize>(
    f: &Factors<T>,
    output: *mut T,
    later: usize,
) {
    let mut right = MaybeUninit::<[[T; N]; MAX_INNER]>::uninit();
    let right = right.as_mut_ptr().cast::<[T; N]>();
    // SAFETY: the caller guarantees the sizes.
    unsafe { copy_right(f, right) };
    let right = right.cast_const();
    // Rows whose whole vector may be written: what fills it up lies within rows that are written later.
    let len = (f.rows - 1) * f.stride + f.columns + later;
    let whole = if f.stride == f.columns && len >= N {
        f.rows.min((len - N) / f.stride + 1)
    } else {
        0
    };
    let mut row = 0;
    while row + ROWS <= whole {
        // SAFETY: `row + ROWS <= rows`, and each vector from these rows on ends within what can be written.
        unsafe {
            let sums = sums::<I, T, N, ROWS>(f, right, row);
            for (next, sums) in sums.into_iter().enumerate() {
                store(output.add((row + next) * f.stride), sums);
            }
        }
        row += ROWS;
    }
    while row < f.rows {
        // SAFETY: `row < rows`, and there is room for the row's columns, or for a whole vector.
        unsafe {
            let [sums] = sums::<I, T, N, 1>(f, right, row);
            let to = output.add(row * f.stride);
            if row < whole {
                store(to, sums);
            } else {
                to.copy_from_nonoverlapping(sums.as_ptr(), f.columns);
            }
        }
        row += 1;
    }
}

/// Multiplies, `ROWS` rows at a time, and writes the transposed product.
///
/// # Safety
/// The matrices can be read, and the transposed product can be written, whose rows lie `stride` elements apart. There are at most `N`
/// columns and [`MAX_INNER`] terms.
#[inline(always)]
unsafe fn multiply_columns<I: Isa, T: MultiplyAdd, const N: usize, const ROWS: usize>(
    f: &Factors<T>,
    output: *mut T,
) {
    let mut right = MaybeUninit::<[[T; N]; MAX_INNER]>::uninit();
    let right = right.as_mut_ptr().cast::<[T; N]>();
    // SAFETY: the caller guarantees the sizes.
    unsafe { copy_right(f, right) };
    let right = right.cast_const();
    let mut row = 0;
    while row + ROWS <= f.rows {
        let mut sums = [[T::ZERO; ROWS]; N];
        for term in 0..f.inner {
            let left = f.a.after(row, 0).after(term, 1);
            // SAFETY: the left matrix has these rows and this term, and `right` a row for it.
            unsafe {
                let b: [T; N] = load(right.add(term).cast());
                let a: [T; ROWS] = lanes(|next| left.after(next, 0).first.read());
                sums = lanes(|column| {
                    let sums = sums[column];
                    lanes(|next| T::multiply_add::<I>(a[next], b[column], sums[next]))
                });
            }
        }
        for (column, sums) in sums.into_iter().enumerate().take(f.columns) {
            // SAFETY: the transposed product has this row, and these columns.
            unsafe { store(output.add(column * f.stride + row), sums) };
        }
        row += ROWS;
    }
    while row < f.rows {
        // SAFETY: `row < rows`, and the transposed product has as many columns.
        unsafe {
            let [sums] = sums::<I, T, N, 1>(f, right, row);
            for (column, sum) in sums.into_iter().enumerate().take(f.columns) {
                output.add(column * f.stride + row).write(sum);
            }
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
