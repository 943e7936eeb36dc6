//! Products of two matrices: floats and complex numbers by libraries, integers by plain loops.
//!
//! The libraries choose among instruction sets themselves. `matrixmultiply` is quick to build; the crates of `gemm`
//! (feature `gemm`) are faster, and take longer to build than this library. Products by a vector are in `gemv`.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use core::marker::PhantomData;
use core::ops::Neg;

use num_complex::Complex;

use super::factors::{Factors, Matrix};
use super::gemv::{self, VectorProduct};
use super::narrow::{self, Limited};
use crate::dtype::Element;
use crate::dtype::format::Format;
use crate::simd::{Body, Isa, Kernel, for_level};

/// An element type of matrices.
pub(super) trait Number: Copy + 'static {
    /// Returns the loop that multiplies. Its only input is a pointer to [`Factors`]; for integers, the rows of the
    /// right matrices must be contiguous. The output is the first element of the first result; the former elements are not
    /// read. The length is ignored.
    fn product() -> Kernel;
}

/// # Safety
/// The first input points to [`Factors`] of type `T`, which live as long as the result is used.
unsafe fn factors<'a, T>(inputs: *const *const u8) -> &'a Factors<T> {
    // SAFETY: the caller guarantees that the first input points to live `Factors<T>`.
    unsafe { &*(*inputs).cast() }
}

/// Multiplies matrices by vectors, if the factors are these, in a layout that is read in place. Returns whether they are.
///
/// # Safety
/// The matrices can be read, and the product can be written.
unsafe fn by_vector<T: Element + Format<Compute = T> + gemv::Number>(
    f: &Factors<T>,
    output: *mut u8,
) -> bool {
    let Some(product) = VectorProduct::<T>::of(f) else {
        return false;
    };
    // SAFETY: the caller guarantees readable matrices, and room for as many contiguous sums.
    unsafe { product.multiply(output) };
    true
}

/// An element type of the libraries' matrices.
trait Real: Copy + 'static {
    const ZERO: Self;
    const ONE: Self;

    /// Computes `output = before * output + scale * a * b`, where `strides` are the output's. If `before` is zero,
    /// the output is not read.
    ///
    /// # Safety
    /// The matrices of `factors` can be read and the output can be written; if `before` is not zero, the output is
    /// initialised.
    unsafe fn multiply(
        factors: &Factors<Self>,
        output: *mut Self,
        strides: [isize; 2],
        before: Self,
        scale: Self,
    );
}

macro_rules! reals {
    ($($number:ident $matrixmultiply:ident $gemm:ident;)*) => {$(
        impl Real for $number {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            unsafe fn multiply(
                f: &Factors<Self>,
                output: *mut Self,
                strides: [isize; 2],
                before: Self,
                scale: Self,
            ) {
                #[cfg(not(feature = "gemm"))]
                // SAFETY: the caller guarantees matrices that can be read, an output that can be written, and that it
                // is initialised if `before` is not zero.
                unsafe {
                    matrixmultiply::$matrixmultiply(
                        f.rows, f.inner, f.columns,
                        scale,
                        f.a.first, f.a.strides[0], f.a.strides[1],
                        f.b.first, f.b.strides[0], f.b.strides[1],
                        before,
                        output, strides[0], strides[1],
                    );
                }
                #[cfg(feature = "gemm")]
                // SAFETY: the caller guarantees matrices that can be read, an output that can be written, and that it
                // is initialised if `before` is not zero.
                unsafe {
                    // The library prefers an output with contiguous columns, which that of the transposed product
                    // has.
                    $gemm::gemm::$number::get_gemm_fn()(
                        f.columns, f.rows, f.inner,
                        output, strides[0], strides[1], before != 0.0,
                        f.b.first, f.b.strides[0], f.b.strides[1],
                        f.a.first, f.a.strides[0], f.a.strides[1],
                        before, scale,
                        false, false, false,
                        gemm_common::Parallelism::None,
                    );
                }
            }
        }

        impl Number for $number {
            fn product() -> Kernel {
                unsafe fn run(inputs: *const *const u8, output: *mut u8, _: usize) {
                    // SAFETY: by the contract of `product`, the input points to `Factors` of readable matrices, and
                    // the result can be written; with `before` zero it is not read. A vector product has the same
                    // operands, and as many contiguous sums.
                    unsafe {
                        let f = factors::<$number>(inputs);
                        if by_vector(f, output) || narrow::multiply(f, output) {
                            return;
                        }
                        for number in 0..f.count {
                            let (f, to) = f.product(number);
                            let to = output.cast::<$number>().add(to);
                            $number::multiply(&f, to, [f.stride.cast_signed(), 1], 0.0, 1.0);
                        }
                    }
                }
                run
            }
        }
    )*};
}

reals! {
    f32 sgemm gemm_f32;
    f64 dgemm gemm_f64;
}

/// Complex products that are not narrow, as four products of the real and imaginary parts: the parts of a matrix are a matrix with twice
/// the strides.
impl<T: Real + Neg<Output = T>> Number for Complex<T>
where
    Self: Element + Format<Compute = Self> + Limited,
{
    fn product() -> Kernel {
        unsafe fn run<T: Real + Neg<Output = T>>(
            inputs: *const *const u8,
            output: *mut u8,
            _: usize,
        ) where
            Complex<T>: Element + Format<Compute = Complex<T>> + Limited,
        {
            // SAFETY: by the contract of `product`, the input points to `Factors` of this type, which live during the
            // call.
            let f = unsafe { factors::<Complex<T>>(inputs) };
            // SAFETY: by the contract of `product`, the matrices can be read and the results can be written.
            if unsafe { by_vector(f, output) || narrow::multiply(f, output) } {
                return;
            }
            for number in 0..f.count {
                let (f, to) = f.product(number);
                // SAFETY: by the contract of `product`, the matrices can be read, and the result of each product can be written.
                unsafe { by_parts(&f, output.cast::<Complex<T>>().add(to)) };
            }
        }
        run::<T>
    }
}

/// # Safety
/// The matrices can be read, and the product can be written.
unsafe fn by_parts<T: Real + Neg<Output = T>>(f: &Factors<Complex<T>>, output: *mut Complex<T>) {
    let part = |matrix: Matrix<Complex<T>>, part: usize| Matrix {
        first: matrix.first.cast::<T>().wrapping_add(part),
        strides: matrix.strides.map(|stride| 2 * stride),
    };
    let strides = [2 * f.stride.cast_signed(), 2];
    for (a, b, result, before, scale) in [
        (0, 0, 0, T::ZERO, T::ONE),
        (1, 1, 0, T::ONE, -T::ONE),
        (0, 1, 1, T::ZERO, T::ONE),
        (1, 0, 1, T::ONE, T::ONE),
    ] {
        let parts = Factors {
            a: part(f.a, a),
            b: part(f.b, b),
            rows: f.rows,
            inner: f.inner,
            columns: f.columns,
            stride: 2 * f.stride,
            count: 1,
            steps: [0; 2],
        };
        // SAFETY: the caller guarantees matrices that can be read and a result that can be written, and so can their parts. Each part of
        // the result is first written with `before` zero, and read only after that.
        unsafe {
            let output = output.cast::<T>().add(result);
            T::multiply(&parts, output, strides, before, scale);
        }
    }
}

/// The product of integers: adds multiples of the right matrix's rows to the result's rows.
struct ByRows<T>(PhantomData<T>);

macro_rules! by_rows {
    ($($number:ty)*) => {$(
        impl Body for ByRows<$number> {
            #[inline(always)]
            unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
                // SAFETY: by the contract of `product`, the input points to `Factors` of this type, which live during
                // the call.
                let f = unsafe { factors::<$number>(inputs) };
                // SAFETY: by the contract of `product`, the matrices can be read and the results can be written.
                if unsafe { by_vector(f, output) || narrow::multiply(f, output) } {
                    return;
                }
                debug_assert!(f.columns == 1 || f.b.strides[1] == 1);
                for number in 0..f.count {
                    let (f, to) = f.product(number);
                    for row in 0..f.rows {
                        // SAFETY: `row < f.rows`, so by the contract of `product` the result has `f.columns` elements
                        // here that can be written and nothing else refers to; zero bytes are valid integers.
                        let sums = unsafe {
                            let first = output.cast::<$number>().add(to + row * f.stride);
                            first.write_bytes(0, f.columns);
                            core::slice::from_raw_parts_mut(first, f.columns)
                        };
                        for inner in 0..f.inner {
                            let (row, inner) = (row.cast_signed(), inner.cast_signed());
                            // SAFETY: `row < f.rows` and `inner < f.inner`, so the left matrix has this element and the
                            // right matrix this row, whose `f.columns` elements are contiguous by the contract of
                            // `product`.
                            let (factor, row) = unsafe {
                                let a = f.a.first.offset(row * f.a.strides[0] + inner * f.a.strides[1]);
                                let b = f.b.first.offset(inner * f.b.strides[0]);
                                (a.read(), core::slice::from_raw_parts(b, f.columns))
                            };
                            for (sum, b) in sums.iter_mut().zip(row) {
                                *sum = sum.wrapping_add(factor.wrapping_mul(*b));
                            }
                        }
                    }
                }
            }
        }

        impl Number for $number {
            fn product() -> Kernel {
                for_level::<ByRows<$number>>()
            }
        }
    )*};
}

by_rows! { u32 u64 }
