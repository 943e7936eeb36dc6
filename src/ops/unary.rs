//! Functions of one tensor, by element.

use core::ops;
use std::borrow::Cow;

use crate::dtype::{DType, StaticDType};
use crate::kernel::{self, UnaryOp};
use crate::rank::Rank;
use crate::rules::Rules;
use crate::rules::operations::{
    Absolute, Classify, FloatFunction, Floor, Invert, Negate, Reciprocal, Round, Sign,
};
use crate::tensor::Tensor;

macro_rules! functions {
    // The function runs in the dtype of its result.
    (in result: $($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident;)*) => {
        functions!(@methods Output, $($(#[doc = $doc])+ $name: $kernel, $group;)*);
    };
    // The function runs in the dtype of its operand.
    (in operand: $($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident;)*) => {
        functions!(@methods Operand, $($(#[doc = $doc])+ $name: $kernel, $group;)*);
    };
    (@methods $compute:ident, $($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident;)*) => {
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            pub fn $name(&self) -> Tensor<<D as $group<R::Operations>>::Output, N, R>
            where
                D: $group<R::Operations>,
            {
                let compute = functions!(@compute $compute D, <D as $group<R::Operations>>::Output);
                let result = kernel::unary(UnaryOp::$kernel, compute, Cow::Borrowed(self.array()));
                let out = <<D as $group<R::Operations>>::Output as StaticDType>::DTYPE;
                Tensor::from_array(kernel::cast(Cow::Owned(result), out))
            }
        )*}
    };
    (@compute Output $operand:ty, $output:ty) => { <$output as StaticDType>::DTYPE };
    (@compute Operand $operand:ty, $output:ty) => { <$operand as StaticDType>::DTYPE };
}

functions! { in result:
    /// The square root; NaN below zero.
    ///
    /// ```
    /// use supremum::{F32, I32, Tensor, tensor};
    /// let t: Tensor<I32> = tensor![4, 9];
    /// let roots: Tensor<F32> = t.sqrt(); // an inexact dtype, by the rules' `FloatFunction` table
    /// assert_eq!(roots.to_vec(), [2.0, 3.0]);
    /// ```
    sqrt: Sqrt, FloatFunction;
    /// e to the power of the element.
    exp: Exp, FloatFunction;
    /// 2 to the power of the element.
    exp2: Exp2, FloatFunction;
    /// `exp(x) - 1`, accurate near zero.
    exp_m1: Expm1, FloatFunction;
    /// The natural logarithm; -inf at zero, NaN below.
    ln: Ln, FloatFunction;
    /// `ln(1 + x)`, accurate near zero.
    ln_1p: Log1p, FloatFunction;
    /// The logarithm to base 2.
    log2: Log2, FloatFunction;
    /// The logarithm to base 10.
    log10: Log10, FloatFunction;
    /// The sine, of radians.
    sin: Sin, FloatFunction;
    /// The cosine, of radians.
    cos: Cos, FloatFunction;
    /// The tangent, of radians.
    tan: Tan, FloatFunction;
    /// The angle in radians whose sine this is; NaN outside -1 to 1.
    asin: Asin, FloatFunction;
    /// The angle in radians whose cosine this is; NaN outside -1 to 1.
    acos: Acos, FloatFunction;
    /// The angle in radians whose tangent this is.
    atan: Atan, FloatFunction;
    /// The hyperbolic sine.
    sinh: Sinh, FloatFunction;
    /// The hyperbolic cosine.
    cosh: Cosh, FloatFunction;
    /// The hyperbolic tangent.
    tanh: Tanh, FloatFunction;
    /// `1 / (1 + exp(-x))`.
    ///
    /// ```
    /// use supremum::{F64, Tensor, tensor};
    /// let t: Tensor<F64> = tensor![0.0, -1000.0];
    /// assert_eq!(t.sigmoid().to_vec(), [0.5, 0.0]);
    /// ```
    sigmoid: Sigmoid, FloatFunction;
    /// Rounded to the nearest integer, halves to the even one.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![0.5, 1.5, -2.5];
    /// assert_eq!(t.round().to_vec(), [0.0, 2.0, -2.0]);
    /// ```
    round: Round, Round;
    /// -1, 0 or 1 by the sign; for complex numbers `z / |z|`; NaN stays NaN.
    sign: Sign, Sign;
    /// Rounded down.
    floor: Floor, Floor;
    /// Rounded up.
    ceil: Ceil, Floor;
    /// Rounded towards zero.
    trunc: Trunc, Floor;
}

functions! { in operand:
    /// The absolute value; real for complex numbers. The least signed integer stays itself.
    ///
    /// ```
    /// use supremum::{C64, F32, Tensor, c64};
    /// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1])?;
    /// let length: Tensor<F32> = z.abs();
    /// assert_eq!(length.to_vec(), [5.0]);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    abs: Abs, Absolute;
    /// The real part; real numbers are their own.
    ///
    /// ```
    /// use supremum::{C64, F32, Tensor, c64};
    /// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1])?;
    /// let (re, im): (Tensor<F32>, Tensor<F32>) = (z.real(), z.imag());
    /// assert_eq!((re.to_vec(), im.to_vec()), (vec![3.0], vec![-4.0]));
    /// # Ok::<(), supremum::Error>(())
    /// ```
    real: Real, Absolute;
    /// The imaginary part; zero for real numbers.
    imag: Imag, Absolute;
    /// Whether elements are not a number.
    is_nan: IsNan, Classify;
    /// Whether elements are infinite.
    is_infinite: IsInf, Classify;
    /// Whether elements are neither infinite nor NaN.
    is_finite: IsFinite, Classify;
}

macro_rules! prefix_operators {
    ($($trait:ident::$method:ident $kernel:ident $group:ident;)*) => {$(
        impl<D: $group<R::Operations> + StaticDType, N: Rank, R: Rules> ops::$trait for Tensor<D, N, R> {
            type Output = Tensor<<D as $group<R::Operations>>::Output, N, R>;

            fn $method(self) -> Self::Output {
                let compute = <<D as $group<R::Operations>>::Output as StaticDType>::DTYPE;
                Tensor::from_array(kernel::unary(UnaryOp::$kernel, compute, Cow::Owned(self.into_array())))
            }
        }

        impl<D: $group<R::Operations> + StaticDType, N: Rank, R: Rules> ops::$trait for &Tensor<D, N, R> {
            type Output = Tensor<<D as $group<R::Operations>>::Output, N, R>;

            fn $method(self) -> Self::Output {
                let compute = <<D as $group<R::Operations>>::Output as StaticDType>::DTYPE;
                Tensor::from_array(kernel::unary(UnaryOp::$kernel, compute, Cow::Borrowed(self.array())))
            }
        }
    )*};
}

prefix_operators! {
    Neg::neg Neg Negate;
    Not::not Not Invert;
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// `1 / x`. Where the rules make an integer of it (as NumPy's do of integers), it is rounded towards
    /// zero, and that of zero is the greatest integer.
    ///
    /// ```
    /// use supremum::{F32, I32, Numpy, Rank1, Tensor, tensor};
    /// let t: Tensor<I32> = tensor![4, -2];
    /// let parts: Tensor<F32> = t.recip();
    /// assert_eq!(parts.to_vec(), [0.25, -0.5]);
    /// let t: Tensor<I32, Rank1, Numpy> = tensor![4, -1, 0];
    /// let parts: Tensor<I32, Rank1, Numpy> = t.recip();
    /// assert_eq!(parts.to_vec(), [0, -1, i32::MAX]);
    /// ```
    pub fn recip(&self) -> Tensor<<D as Reciprocal<R::Operations>>::Output, N, R>
    where
        D: Reciprocal<R::Operations>,
    {
        let out = <<D as Reciprocal<R::Operations>>::Output as StaticDType>::DTYPE;
        let compute = if out.kind().is_inexact() {
            out
        } else {
            DType::F64
        };
        let parts = kernel::unary(UnaryOp::Recip, compute, Cow::Borrowed(self.array()));
        Tensor::from_array(kernel::cast(Cow::Owned(parts), out))
    }
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The complex conjugate; real numbers are their own.
    ///
    /// ```
    /// use supremum::{C64, Tensor, c64};
    /// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1])?;
    /// assert_eq!(z.conj().to_vec(), [c64::new(3.0, 4.0)]);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    #[must_use]
    pub fn conj(&self) -> Self {
        Self::from_array(kernel::unary(
            UnaryOp::Conj,
            D::DTYPE,
            Cow::Borrowed(self.array()),
        ))
    }
}
