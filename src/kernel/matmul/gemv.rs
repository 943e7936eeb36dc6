//! Products of a matrix of floats and a vector.
//!
//! The libraries behind `gemm` first copy (*pack*) their operands in the order in which their loops read them. A product of two matrices reads a
//! copy many times, but a product by a vector reads each element of the matrix once, so packing costs more than the product. The two
//! loops here read the matrix in place:
//!
//! - If the terms of a sum are contiguous, a sum is a dot product, in [`TERMS`] partial sums.
//! - If the sums are contiguous, multiples of the matrix's rows are added to a block of [`SUMS`] sums, which stays in the first-level
//!   cache, four rows at a time.
//!
//! The rows of a convolution with one filter overlap in memory, so it has both forms.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::factors::{Factors, Matrix};
use crate::simd::{Body, Isa, Kernel, for_level};

/// The number of partial sums of a dot product: enough vectors that additions do not wait for each other.
const TERMS: usize = 32;

/// The number of sums in a block: at most 8 KiB.
const SUMS: usize = 1024;

/// The smallest number of contiguous sums to which rows are added: with fewer, the loop over them costs more than packing.
const MIN_SUMS: usize = 16;

/// The product of a matrix `[sums, terms]` and a vector of `terms` elements, neither of which is empty.
pub(super) struct VectorProduct<T> {
    /// Its strides are those from sum to sum and from term to term. One of them is 1.
    matrix: Matrix<T>,
    vector: *const T,
    /// The stride of the vector; 1 if the terms of the matrix are contiguous, and its sums are not.
    step: isize,
    sums: usize,
    terms: usize,
}

impl<T> VectorProduct<T> {
    /// Returns a product with one row or one column in this form, unless its layout is one that needs a copy.
    pub(super) fn of(f: &Factors<T>) -> Option<Self> {
        let product = if f.rows == 1 {
            Self {
                matrix: Matrix {
                    first: f.b.first,
                    strides: [f.b.strides[1], f.b.strides[0]],
                },
                vector: f.a.first,
                step: f.a.strides[1],
                sums: f.columns,
                terms: f.inner,
            }
        } else if f.columns == 1 && f.stride == 1 {
            Self {
                matrix: Matrix {
                    first: f.a.first,
                    strides: f.a.strides,
                },
                vector: f.b.first,
                step: f.b.strides[0],
                sums: f.rows,
                terms: f.inner,
            }
        } else {
            return None;
        };
        (product.adds_rows() || product.is_dot()).then_some(product)
    }

    /// Returns whether the terms of each sum are contiguous, in the matrix and in the vector.
    fn is_dot(&self) -> bool {
        self.matrix.strides[1] == 1 && self.step == 1
    }

    /// Returns whether the sums are contiguous and there are at least [`MIN_SUMS`] of them.
    fn adds_rows(&self) -> bool {
        self.matrix.strides[0] == 1 && self.sums >= MIN_SUMS
    }
}

/// The loop that computes a [`VectorProduct`]. Its one input is the product. It writes the sums one after another, reads none of them, and
/// ignores the length.
struct Multiply<T>(PhantomData<T>);

macro_rules! floats {
    ($($kernel:ident $number:ident)*) => {$(
        impl Body for Multiply<$number> {
            #[inline(always)]
            unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
                let output = output.cast::<$number>();
                // SAFETY: the caller guarantees that the input points to a live product of this type.
                let product = unsafe { &*(*inputs).cast::<VectorProduct<$number>>() };
                // SAFETY: the caller guarantees a matrix and a vector that can be read, and room for the sums, which
                // overlap neither. `of` has checked the strides of both forms.
                unsafe {
                    if product.adds_rows() {
                        $kernel::add_rows(product, output);
                    } else {
                        $kernel::dots(product, output);
                    }
                }
            }
        }

        mod $kernel {
            use super::{SUMS, TERMS, VectorProduct};
            use crate::simd::through_memory;
            use core::array;
            use core::slice::{from_raw_parts, from_raw_parts_mut};

            /// # Safety
            /// The matrix and the vector can be read; their terms are contiguous. The output has room for the sums.
            #[inline(always)]
            pub(super) unsafe fn dots(product: &VectorProduct<$number>, output: *mut $number) {
                // SAFETY: the caller guarantees a vector of as many contiguous elements.
                let vector = unsafe { from_raw_parts(product.vector, product.terms) };
                for sum in 0..product.sums {
                    let offset = sum.cast_signed() * product.matrix.strides[0];
                    // SAFETY: `sum < sums`, so the matrix has this row of contiguous terms.
                    let row = unsafe {
                        from_raw_parts(product.matrix.first.offset(offset), product.terms)
                    };
                    // SAFETY: the caller guarantees room for the sums.
                    unsafe { output.add(sum).write(dot(row, vector)) };
                }
            }

            #[inline(always)]
            fn dot(a: &[$number], b: &[$number]) -> $number {
                let (a, a_rest) = a.as_chunks::<TERMS>();
                let (b, b_rest) = b.as_chunks::<TERMS>();
                let mut partial = [0.0; TERMS];
                for (a, b) in a.iter().zip(b) {
                    partial = array::from_fn(|lane| partial[lane] + a[lane] * b[lane]);
                }
                let mut partial = through_memory(partial);
                let mut width = TERMS / 2;
                while width > 0 {
                    for lane in 0..width {
                        partial[lane] += partial[lane + width];
                    }
                    width /= 2;
                }
                let rest = a_rest.iter().zip(b_rest);
                rest.fold(partial[0], |sum, (a, b)| sum + a * b)
            }

            /// # Safety
            /// The matrix and the vector can be read; the sums are contiguous in the matrix. The output has room for
            /// the sums, and overlaps neither operand.
            #[inline(always)]
            pub(super) unsafe fn add_rows(product: &VectorProduct<$number>, output: *mut $number) {
                let mut start = 0;
                while start < product.sums {
                    let len = SUMS.min(product.sums - start);
                    // SAFETY: the caller guarantees room for `sums` elements, which nothing else refers to; zero
                    // bytes are valid floats.
                    let sums = unsafe {
                        let first = output.add(start);
                        first.write_bytes(0, len);
                        from_raw_parts_mut(first, len)
                    };
                    let term = |term: usize| {
                        let term = term.cast_signed();
                        // SAFETY: this is called for `term < terms` only, so the vector has this element, and the
                        // matrix these `len` contiguous elements from `start` on.
                        unsafe {
                            let factor = product.vector.offset(term * product.step).read();
                            let row = product.matrix.first.offset(term * product.matrix.strides[1]);
                            (factor, from_raw_parts(row.add(start), len))
                        }
                    };
                    let whole = product.terms - product.terms % 4;
                    for number in (0..whole).step_by(4) {
                        let [(a, r0), (b, r1), (c, r2), (d, r3)] = [0, 1, 2, 3].map(|next| term(number + next));
                        let rows = r0.iter().zip(r1).zip(r2.iter().zip(r3));
                        for (sum, ((r0, r1), (r2, r3))) in sums.iter_mut().zip(rows) {
                            *sum += (a * r0 + b * r1) + (c * r2 + d * r3);
                        }
                    }
                    for number in whole..product.terms {
                        let (factor, row) = term(number);
                        for (sum, element) in sums.iter_mut().zip(row) {
                            *sum += factor * element;
                        }
                    }
                    start += len;
                }
            }
        }

        impl VectorProduct<$number> {
            /// Returns the loop for the processor; see [`Multiply`].
            pub(super) fn kernel() -> Kernel {
                for_level::<Multiply<$number>>()
            }
        }
    )*};
}

floats! { of_f32 f32 of_f64 f64 }
