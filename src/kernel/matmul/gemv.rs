//! Products of a matrix and a vector.
//!
//! The libraries behind `gemm` first copy (*pack*) their operands in the order in which their loops read them. A product of two matrices reads a
//! copy many times, but a product by a vector reads each element of the matrix once, so packing costs more than the product. The two
//! loops here read the matrix in place:
//!
//! - If the terms of a sum are contiguous, a sum is a dot product, in [`LANES`] partial sums.
//! - If the sums are contiguous, multiples of the matrix's rows are added to a block of [`SUMS`] sums, which stays in the L1 cache,
//!   four rows at a time.
//!
//! A matrix of `f16` or `bf16` is widened to `f32` in registers: it has half of the bytes, and reading them takes most of the time. So are
//! both vectors of a dot product. Integers wrap.
//!
//! The rows of a convolution with one filter overlap in memory, so it has both forms.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::ops::Range;
use core::slice::{from_raw_parts, from_raw_parts_mut};

use bytemuck::Pod;

use super::factors::{Factors, Matrix};
use crate::dtype::format::Format;
use crate::dtype::{Element, c64, c128};
use crate::simd::{
    Body, Isa, Kernel, LANES, black_box_usize, for_level, lanes, load, store, through_memory,
    transposed,
};

/// The number of sums in a block: at most 8 KiB.
const SUMS: usize = 1024;

/// The smallest number of contiguous sums to which rows are added: with fewer, the loop over them costs more than packing.
const MIN_SUMS: usize = 16;

/// A type in which products are computed.
pub(super) trait Number: Copy {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;

    /// [`short_dots`] with squares of this type.
    ///
    /// # Safety
    /// The contract of [`short_dots`].
    unsafe fn short_dots<E: Element + Format<Compute = Self>, V: Format<Compute = Self>>(
        product: &VectorProduct<E, V>,
        output: *mut Self,
    ) -> usize;
}

macro_rules! numbers {
    ($($number:ident |$a:ident, $b:ident| $sum:expr, $product:expr;)*) => {$(
        impl Number for $number {
            #[inline(always)]
            fn plus(self, $b: Self) -> Self {
                let $a = self;
                $sum
            }
            #[inline(always)]
            fn times(self, $b: Self) -> Self {
                let $a = self;
                $product
            }
            #[inline(always)]
            unsafe fn short_dots<E: Element + Format<Compute = Self>, V: Format<Compute = Self>>(
                product: &VectorProduct<E, V>,
                output: *mut Self,
            ) -> usize {
                // SAFETY: the caller guarantees the contract of `short_dots`.
                unsafe { short_dots::<E, V, Self, { 16 / size_of::<Self>() }>(product, output) }
            }
        }
    )*};
}

numbers! {
    f32 |a, b| a + b, a * b;
    f64 |a, b| a + b, a * b;
    c64 |a, b| a + b, a * b;
    c128 |a, b| a + b, a * b;
    u32 |a, b| a.wrapping_add(b), a.wrapping_mul(b);
    u64 |a, b| a.wrapping_add(b), a.wrapping_mul(b);
}

/// The product of a matrix `[sums, terms]` of elements `E` and a vector of `terms` elements `V`, neither of which is empty. Both have one
/// compute type.
pub(super) struct VectorProduct<E: Format, V = <E as Format>::Compute> {
    /// Its strides are those from sum to sum and from term to term. One of them is 1.
    matrix: Matrix<E>,
    vector: *const V,
    /// The stride of the vector; 1 if the terms of the matrix are contiguous, and its sums are not.
    step: isize,
    sums: usize,
    terms: usize,
    /// The number of products, whose sums follow one another.
    count: usize,
    /// The distances from the matrix and the vector of one product to those of the next one.
    steps: [isize; 2],
}

impl<E, V> VectorProduct<E, V>
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    /// Returns a product with one row.
    fn of_row(f: &Factors<V, E>) -> Self {
        Self {
            matrix: Matrix {
                first: f.b.first,
                strides: [f.b.strides[1], f.b.strides[0]],
            },
            vector: f.a.first,
            step: f.a.strides[1],
            sums: f.columns,
            terms: f.inner,
            count: f.count,
            steps: [f.steps[1], f.steps[0]],
        }
    }

    /// Returns a product with one column, whose results are contiguous.
    fn of_column(f: &Factors<E, V>) -> Self {
        debug_assert!(f.columns == 1 && f.stride == 1);
        Self {
            matrix: f.a,
            vector: f.b.first,
            step: f.b.strides[0],
            sums: f.rows,
            terms: f.inner,
            count: f.count,
            steps: f.steps,
        }
    }

    /// Returns whether the loops read the matrix in place.
    fn is_in_place(&self) -> bool {
        self.adds_rows() || self.is_dot()
    }

    /// Returns whether the terms of each sum are contiguous, in the matrix and in the vector.
    fn is_dot(&self) -> bool {
        self.matrix.strides[1] == 1 && self.step == 1
    }

    /// Returns whether the sums are contiguous and there are at least [`MIN_SUMS`] of them.
    fn adds_rows(&self) -> bool {
        self.matrix.strides[0] == 1 && self.sums >= MIN_SUMS
    }

    /// Writes the sums, one after another, by the loop for the processor.
    ///
    /// # Safety
    /// The matrix and the vector can be read. The output has room for the sums, and overlaps neither of them.
    pub(super) unsafe fn multiply(&self, output: *mut u8) {
        let kernel = for_level::<Multiply<E, V>>();
        // SAFETY: the caller guarantees what the loop requires. Its one input is this product.
        unsafe { kernel(&(&raw const *self).cast(), output, self.sums) };
    }
}

impl<T: Number + Element + Format<Compute = T>> VectorProduct<T> {
    /// Returns a product with one row or one column in this form, unless its layout is one that needs a copy.
    pub(super) fn of(f: &Factors<T>) -> Option<Self> {
        let product = if f.rows == 1 {
            Self::of_row(f)
        } else if f.columns == 1 && f.stride == 1 {
            Self::of_column(f)
        } else {
            return None;
        };
        product.is_in_place().then_some(product)
    }
}

/// Returns the loop of a product with a single row, whose right matrix has elements `E` and whose left one has elements `V`. Its input is a
/// pointer to [`Factors`]. `None` if it does not read such factors in place.
pub(super) fn row_by_matrix<E, V>(f: &Factors<V, E>) -> Option<Kernel>
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    unsafe fn run<E, V>(inputs: *const *const u8, output: *mut u8, _: usize)
    where
        E: Element + Format<Compute: Number>,
        V: Format<Compute = E::Compute>,
    {
        // SAFETY: the caller guarantees factors of these types, and room for their product. A part of a product that is read in place
        // has the same strides.
        unsafe {
            VectorProduct::of_row(&*(*inputs).cast::<Factors<V, E>>()).multiply(output);
        }
    }
    VectorProduct::of_row(f)
        .is_in_place()
        .then_some(run::<E, V>)
}

/// [`row_by_matrix`] of a product with a single column, whose left matrix has elements `E`.
pub(super) fn matrix_by_column<E, V>(f: &Factors<E, V>) -> Option<Kernel>
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    unsafe fn run<E, V>(inputs: *const *const u8, output: *mut u8, _: usize)
    where
        E: Element + Format<Compute: Number>,
        V: Format<Compute = E::Compute>,
    {
        // SAFETY: the caller guarantees factors of these types, and room for their product. A part of a product that is read in place
        // has the same strides.
        unsafe {
            VectorProduct::of_column(&*(*inputs).cast::<Factors<E, V>>()).multiply(output);
        }
    }
    VectorProduct::of_column(f)
        .is_in_place()
        .then_some(run::<E, V>)
}

/// The loop that computes a [`VectorProduct`]. Its one input is the product. It writes the sums one after another, reads none of them, and
/// ignores the length.
struct Multiply<E, V>(PhantomData<(E, V)>);

impl<E, V> Body for Multiply<E, V>
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        let output = output.cast::<E::Compute>();
        // SAFETY: the caller guarantees that the input points to a live product of this type.
        let product = unsafe { &*(*inputs).cast::<VectorProduct<E, V>>() };
        let adds_rows = product.adds_rows() || !product.is_dot();
        for number in 0..product.count {
            let [matrix, vector] = product.steps.map(|step| number.cast_signed() * step);
            let one = VectorProduct {
                matrix: product.matrix.moved(matrix),
                vector: product.vector.wrapping_offset(vector),
                ..*product
            };
            // SAFETY: the caller guarantees matrices and vectors that can be read, room for the sums of each product, which overlap neither,
            // and the instruction set. A product whose terms are not contiguous has contiguous sums; a part of it may have few.
            unsafe {
                let output = output.add(number * product.sums);
                if adds_rows {
                    add_rows::<I, E, V>(&one, output);
                } else {
                    dots::<I, E, V>(&one, output);
                }
            }
        }
    }
}

/// # Safety
/// The matrix and the vector can be read; their terms are contiguous. The output has room for the sums. The processor has the instruction
/// set.
#[inline(always)]
unsafe fn dots<I: Isa, E, V>(product: &VectorProduct<E, V>, output: *mut E::Compute)
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    let mut done = 0;
    if product.terms < LANES {
        // SAFETY: the caller guarantees what `short_dots` requires.
        done = unsafe { E::Compute::short_dots(product, output) };
    }
    for sum in done..product.sums {
        let offset = sum.cast_signed() * product.matrix.strides[0];
        // SAFETY: `sum < sums`, so the matrix has this row of contiguous terms. The caller guarantees a vector of as many, room for the
        // sums, and the instruction set.
        unsafe {
            let row = product.matrix.first.offset(offset);
            let dot = dot::<I, E, V>(row, product.vector, product.terms);
            output.add(sum).write(dot);
        }
    }
}

/// Writes the first sums of fewer than [`LANES`] terms, several at a time, and returns how many. The rows of a square of `N` vectors become its
/// columns, so that a vector has a term of each of `N` sums; terms are added one after another, as [`dot`] adds those after whole packs.
///
/// The last square of a row begins within the square before it, or ends within the next row if the row is shorter than a square.
///
/// # Safety
/// The matrix and the vector can be read; their terms are contiguous. The output has room for the sums.
#[inline(always)]
unsafe fn short_dots<E, V, T, const N: usize>(
    product: &VectorProduct<E, V>,
    output: *mut T,
) -> usize
where
    E: Element + Format<Compute = T>,
    V: Format<Compute = T>,
    T: Number + Pod,
{
    /// The number of squares whose sums do not wait for each other.
    const SQUARES: usize = 4;
    let (terms, vector) = (product.terms, product.vector);
    let stride = product.matrix.strides[0];
    // The number of sums whose squares end before the last term of all.
    let beyond = N.saturating_sub(terms);
    let last = match usize::try_from(stride) {
        Ok(stride) if stride > 0 => product.sums.saturating_sub(beyond.div_ceil(stride)),
        _ if beyond == 0 => product.sums,
        _ => 0,
    };
    let mut done = 0;
    while done + SQUARES * N <= last {
        let mut sums = [[T::zeroed(); N]; SQUARES];
        let mut add = |at: usize, lanes_of: Range<usize>| {
            for (square, sums) in sums.iter_mut().enumerate() {
                let rows = lanes(|row| {
                    let offset = (done + square * N + row).cast_signed() * stride;
                    // SAFETY: the matrix has these sums, with `terms` contiguous elements each. From `at` on, `N` are among them, or end
                    // before the last term of all.
                    lanes(|lane| unsafe {
                        let row = product.matrix.first.offset(offset);
                        row.add(at + lane).read().to_compute()
                    })
                });
                let columns = transposed::<T, N>(rows);
                for lane in lanes_of.clone() {
                    // SAFETY: the vector has `terms` contiguous elements, of which this is one.
                    let factor = unsafe { vector.add(at + lane).read() }.to_compute();
                    *sums = lanes(|row| sums[row].plus(columns[lane][row].times(factor)));
                }
            }
        };
        if terms < N {
            add(0, 0..terms);
        } else {
            let rest = terms % N;
            for at in (0..terms - rest).step_by(N) {
                add(at, 0..N);
            }
            if rest > 0 {
                add(terms - N, N - rest..N);
            }
        }
        for (square, sums) in sums.into_iter().enumerate() {
            // SAFETY: the caller guarantees room for the sums, of which these are some.
            unsafe { store(output.add(done + square * N), sums) };
        }
        done += SQUARES * N;
    }
    done
}

/// # Safety
/// `len` elements of both can be read. The processor has the instruction set.
#[inline(always)]
unsafe fn dot<I: Isa, E, V>(row: *const E, vector: *const V, len: usize) -> E::Compute
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    let whole = len / LANES * LANES;
    let mut partial = [E::convert(0.0_f64); LANES];
    let mut at = 0;
    while at < whole {
        // SAFETY: `at + LANES <= len`, and the caller guarantees as many elements of both, and the instruction set.
        let (a, b) = unsafe {
            (
                E::load_pack::<I>(row.add(at).cast()),
                V::load_pack::<I>(vector.add(at).cast()),
            )
        };
        partial = lanes(|lane| partial[lane].plus(a[lane].times(b[lane])));
        // Opaque to LLVM, which takes sums of integers apart and gathers the terms of each lane.
        at = black_box_usize(at + LANES);
    }
    let mut first = E::convert(0.0_f64);
    if whole > 0 {
        let mut partial = through_memory(partial);
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                partial[lane] = partial[lane].plus(partial[lane + width]);
            }
            width /= 2;
        }
        first = partial[0];
    }
    // SAFETY: the caller guarantees `len` elements of both.
    let (a, b) = unsafe {
        (
            from_raw_parts(row.add(whole), len - whole),
            from_raw_parts(vector.add(whole), len - whole),
        )
    };
    let rest = a.iter().zip(b);
    rest.fold(first, |sum, (a, b)| {
        sum.plus(a.to_compute().times(b.to_compute()))
    })
}

/// # Safety
/// The matrix and the vector can be read; the sums are contiguous in the matrix. The output has room for the sums, and overlaps neither
/// operand. The processor has the instruction set.
#[inline(always)]
unsafe fn add_rows<I: Isa, E, V>(product: &VectorProduct<E, V>, output: *mut E::Compute)
where
    E: Element + Format<Compute: Number>,
    V: Format<Compute = E::Compute>,
{
    let mut start = 0;
    while start < product.sums {
        let len = SUMS.min(product.sums - start);
        let packs = len / LANES * LANES;
        // SAFETY: the caller guarantees room for `sums` elements, of which `len` are left from `start` on, and which nothing else refers
        // to; zero bytes are valid floats.
        let (first, rest) = unsafe {
            let first = output.add(start);
            first.write_bytes(0, len);
            (first, from_raw_parts_mut(first.add(packs), len - packs))
        };
        let term = |term: usize| {
            let term = term.cast_signed();
            // SAFETY: this is called for `term < terms` only, so the vector has this element, and the matrix `len` contiguous elements
            // from `start` on, of which `rest` are those after `packs`.
            unsafe {
                let factor = product
                    .vector
                    .offset(term * product.step)
                    .read()
                    .to_compute();
                let row = product
                    .matrix
                    .first
                    .offset(term * product.matrix.strides[1]);
                let row = row.add(start);
                (factor, row, from_raw_parts(row.add(packs), len - packs))
            }
        };
        // Adds the products of a pack, or of an element, to its sums.
        macro_rules! add {
            ([$($row:ident $rest:ident),+], |$($x:ident),+| $terms:expr) => {
                for at in (0..packs).step_by(LANES) {
                    // SAFETY: a pack of the `len` elements of each row and of the sums begins at `at`; the caller guarantees the
                    // instruction set.
                    unsafe {
                        $(let $x = E::load_pack::<I>($row.add(at).cast());)+
                        let sums: [E::Compute; LANES] = load(first.add(at));
                        let sums: [_; LANES] = lanes(|lane| {
                            $(let $x = $x[lane];)+
                            sums[lane].plus($terms)
                        });
                        store(first.add(at), sums);
                    }
                }
                for (at, sum) in rest.iter_mut().enumerate() {
                    $(let $x = $rest[at].to_compute();)+
                    *sum = sum.plus($terms);
                }
            };
        }
        let whole = product.terms - product.terms % 4;
        for number in (0..whole).step_by(4) {
            let [(a, r0, s0), (b, r1, s1), (c, r2, s2), (d, r3, s3)] =
                [0, 1, 2, 3].map(|next| term(number + next));
            add!([r0 s0, r1 s1, r2 s2, r3 s3], |w, x, y, z| {
                (a.times(w).plus(b.times(x))).plus(c.times(y).plus(d.times(z)))
            });
        }
        for number in whole..product.terms {
            let (a, r0, s0) = term(number);
            add!([r0 s0], |w| a.times(w));
        }
        start += len;
    }
}
