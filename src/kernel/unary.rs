//! Functions of one operand.

use std::borrow::Cow;

use num_complex::Complex;

use super::binary::for_unsigned_of_size;
use super::cast::{cast, cast_result, chain_from_compute, chain_to_compute, compute_dtype, copy};
use super::elementwise::ElementwisePlan;
use crate::array::{Array, OpResult, record_if_traced};
use crate::dtype::compute::arithmetic::Float;
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::simd::{Kernel, each1, for_types, map1};

/// A function of one operand, computed in one dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    /// For complex numbers the magnitude, which is real.
    Abs,
    /// -1, 0 or 1; zeros and NaN as they are; of complex numbers `z / |z|`.
    Sign,
    Recip,
    Sqrt,
    Exp,
    Exp2,
    Expm1,
    Ln,
    Log1p,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Sigmoid,
    /// The identity on integers, as are the next three.
    Floor,
    Ceil,
    /// Half to even.
    Round,
    Trunc,
    /// Each bit of an integer; the logical negation of a boolean.
    Not,
    IsNan,
    IsInf,
    IsFinite,
    Real,
    Imag,
    Conj,
}

impl UnaryOp {
    /// About how long it takes, in additions.
    pub(super) const fn cost(self) -> usize {
        match self {
            Self::Recip | Self::Sqrt => 4,
            Self::Exp | Self::Exp2 | Self::Expm1 | Self::Ln | Self::Log1p | Self::Log2 => 16,
            Self::Log10 | Self::Sin | Self::Cos | Self::Tan | Self::Asin | Self::Acos => 16,
            Self::Atan | Self::Sinh | Self::Cosh | Self::Tanh | Self::Sigmoid => 16,
            _ => 1,
        }
    }

    #[cfg(test)]
    pub(crate) const ALL: [Self; 33] = [
        Self::Neg,
        Self::Abs,
        Self::Sign,
        Self::Recip,
        Self::Sqrt,
        Self::Exp,
        Self::Exp2,
        Self::Expm1,
        Self::Ln,
        Self::Log1p,
        Self::Log2,
        Self::Log10,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Sigmoid,
        Self::Floor,
        Self::Ceil,
        Self::Round,
        Self::Trunc,
        Self::Not,
        Self::IsNan,
        Self::IsInf,
        Self::IsFinite,
        Self::Real,
        Self::Imag,
        Self::Conj,
    ];

    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Neg => "neg",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Recip => "recip",
            Self::Sqrt => "sqrt",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Expm1 => "expm1",
            Self::Ln => "ln",
            Self::Log1p => "log1p",
            Self::Log2 => "log2",
            Self::Log10 => "log10",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Sigmoid => "sigmoid",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Trunc => "trunc",
            Self::Not => "not",
            Self::IsNan => "is_nan",
            Self::IsInf => "is_inf",
            Self::IsFinite => "is_finite",
            Self::Real => "real",
            Self::Imag => "imag",
            Self::Conj => "conj",
        }
    }

    /// The dtype of the result when computed in `compute`, or `None` if that has no meaning.
    pub(crate) const fn result(self, compute: DType) -> Option<DType> {
        let kind = compute.kind();
        Some(match self {
            Self::IsNan | Self::IsInf | Self::IsFinite => DType::Bool,
            Self::Abs | Self::Real | Self::Imag => match compute {
                DType::C64 => DType::F32,
                DType::C128 => DType::F64,
                real => real,
            },
            Self::Conj => compute,
            Self::Neg if !matches!(kind, Kind::Bool) => compute,
            Self::Sign => compute,
            Self::Round => compute,
            Self::Floor | Self::Ceil | Self::Trunc if !matches!(kind, Kind::Complex) => compute,
            Self::Not if !kind.is_inexact() => compute,
            Self::Neg | Self::Not => return None,
            Self::Floor | Self::Ceil | Self::Trunc => return None,
            _ if kind.is_inexact() => compute,
            _ => return None,
        })
    }
}

/// Casts the operand to a dtype, applies the function in it, and casts its result ([`UnaryOp::result`]) to `out`.
///
/// # Errors
/// [`Error::UnsupportedDType`] if the function is not defined in the dtype; [`Error::OutOfMemory`].
pub(crate) fn unary(op: UnaryOp, compute: DType, out: DType, x: Cow<'_, Array>) -> OpResult {
    match op.result(compute) {
        Some(dtype) => cast_result(computed(op, compute, dtype, x), dtype, out),
        None => OpResult::from(Error::UnsupportedDType {
            operation: op.name(),
            dtype: compute,
        }),
    }
}

fn computed(op: UnaryOp, compute: DType, dtype: DType, x: Cow<'_, Array>) -> OpResult {
    record_if_traced!([x] => unary(op, compute, &x));
    let Some(kernel) = kernel(op, compute_dtype(compute)) else {
        return cast(x, compute).into();
    };
    let apply = ElementwisePlan {
        kernel,
        chain: chain_from_compute(dtype),
        dtype,
        cost: op.cost(),
    };
    let chain = chain_to_compute(x.dtype(), compute);
    apply.run_alone(x, chain)
}

/// Returns the loop for a function of compute types; `None` for the identity. Call it only if the function has a
/// result.
pub(super) fn kernel(op: UnaryOp, dtype: DType) -> Option<Kernel> {
    match dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => integer_kernel(op, dtype),
        Kind::Float => {
            for_types!(dtype, T in [DType::F64 => f64] => float_kernel::<T>(op, dtype), _ => float_kernel::<f32>(op, dtype))
        }
        Kind::Complex => {
            for_types!(dtype, T in [DType::C64 => f32] => Some(complex_kernel::<T>(op)), _ => Some(complex_kernel::<f64>(op)))
        }
    }
}

fn integer_kernel(op: UnaryOp, dtype: DType) -> Option<Kernel> {
    use DType::{I8, I16, I32, I64};
    Some(match op {
        UnaryOp::Neg => for_unsigned_of_size!(dtype, T => map1(T::wrapping_neg)),
        UnaryOp::Abs => {
            for_types!(dtype, T in [I8 => i8, I16 => i16, I32 => i32, I64 => i64] => map1(T::wrapping_abs), _ => return None)
        }
        UnaryOp::Sign => {
            for_types!(dtype, T in [I8 => i8, I16 => i16, I32 => i32, I64 => i64] => map1(T::signum), _ => {
                for_unsigned_of_size!(dtype, T => map1(|x: T| T::from(x != 0)))
            })
        }
        UnaryOp::Not if dtype == DType::Bool => map1(|x: u8| x ^ 1),
        UnaryOp::Not => for_unsigned_of_size!(dtype, T => map1(|x: T| !x)),
        UnaryOp::IsNan | UnaryOp::IsInf => for_unsigned_of_size!(dtype, T => map1(|_: T| false)),
        UnaryOp::IsFinite => for_unsigned_of_size!(dtype, T => map1(|_: T| true)),
        UnaryOp::Imag => for_unsigned_of_size!(dtype, T => map1(|_: T| T::MIN)),
        _ => return None,
    })
}

/// The loops for functions that `num_complex` has; it is generic over a trait of its own.
macro_rules! complex_functions {
    ($float:ty, $op:expr) => {{
        type Z = Complex<$float>;
        match $op {
            UnaryOp::Sqrt => each1(|z: Z| z.sqrt()),
            UnaryOp::Exp => each1(|z: Z| z.exp()),
            UnaryOp::Exp2 => each1(|z: Z| z.exp2()),
            UnaryOp::Expm1 => each1(|z: Z| z.exp() - 1.0),
            UnaryOp::Ln => each1(|z: Z| z.ln()),
            UnaryOp::Log1p => each1(|z: Z| (z + 1.0).ln()),
            UnaryOp::Log2 => each1(|z: Z| z.log2()),
            UnaryOp::Log10 => each1(|z: Z| z.log10()),
            UnaryOp::Sin => each1(|z: Z| z.sin()),
            UnaryOp::Cos => each1(|z: Z| z.cos()),
            UnaryOp::Tan => each1(|z: Z| z.tan()),
            UnaryOp::Asin => each1(|z: Z| z.asin()),
            UnaryOp::Acos => each1(|z: Z| z.acos()),
            UnaryOp::Atan => each1(|z: Z| z.atan()),
            UnaryOp::Sinh => each1(|z: Z| z.sinh()),
            UnaryOp::Cosh => each1(|z: Z| z.cosh()),
            UnaryOp::Tanh => each1(|z: Z| z.tanh()),
            UnaryOp::Sigmoid => each1(|z: Z| ((-z).exp() + 1.0).inv()),
            other => unreachable!("{} of complex numbers", other.name()),
        }
    }};
}

/// The loops of functions, which are vectorised where our own code computes them.
trait FunctionLoops: Float {
    /// The loop of an exponential, a logarithm or a hyperbolic function.
    fn function_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel;
    /// The loop of a function of complex numbers that `num_complex` has.
    fn complex_loop(op: UnaryOp) -> Kernel;
}

macro_rules! function_loops {
    ($($float:ident: $loop:ident),*) => {$(
        impl FunctionLoops for $float {
            #[inline(always)]
            fn function_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
                $loop(function)
            }
            fn complex_loop(op: UnaryOp) -> Kernel {
                complex_functions!($float, op)
            }
        }
    )*};
}

function_loops!(f32: map1, f64: each1);

fn float_kernel<T: FunctionLoops>(op: UnaryOp, dtype: DType) -> Option<Kernel> {
    Some(match op {
        UnaryOp::Neg => map1(|x: T| -x),
        UnaryOp::Abs => map1(T::magnitude),
        UnaryOp::Sign => map1(T::sign),
        UnaryOp::Recip => map1(|x: T| T::ONE / x),
        UnaryOp::Sqrt => map1(T::sqrt),
        UnaryOp::Exp => T::function_loop(T::exp),
        UnaryOp::Exp2 => T::function_loop(T::exp2),
        UnaryOp::Expm1 => T::function_loop(T::exp_m1),
        UnaryOp::Ln => T::function_loop(T::ln),
        UnaryOp::Log1p => T::function_loop(T::ln_1p),
        UnaryOp::Log2 => T::function_loop(T::log2),
        UnaryOp::Log10 => T::function_loop(T::log10),
        UnaryOp::Sin => each1(T::sin),
        UnaryOp::Cos => each1(T::cos),
        UnaryOp::Tan => each1(T::tan),
        UnaryOp::Asin => each1(T::asin),
        UnaryOp::Acos => each1(T::acos),
        UnaryOp::Atan => each1(T::atan),
        UnaryOp::Sinh => T::function_loop(T::sinh),
        UnaryOp::Cosh => T::function_loop(T::cosh),
        UnaryOp::Tanh => T::function_loop(T::tanh),
        UnaryOp::Sigmoid => T::function_loop(T::sigmoid),
        UnaryOp::Floor => map1(T::floor),
        UnaryOp::Ceil => map1(T::ceil),
        UnaryOp::Round => map1(T::round_ties_even),
        UnaryOp::Trunc => map1(T::trunc),
        UnaryOp::IsNan => map1(T::is_nan),
        UnaryOp::IsInf => map1(T::is_infinite),
        UnaryOp::IsFinite => map1(T::is_finite),
        UnaryOp::Imag => map1(|_: T| T::ZERO),
        UnaryOp::Real | UnaryOp::Conj => copy(dtype),
        UnaryOp::Not => return None,
    })
}

fn complex_kernel<T: FunctionLoops>(op: UnaryOp) -> Kernel {
    match op {
        UnaryOp::Neg => map1(|z: Complex<T>| Complex::new(-z.re, -z.im)),
        UnaryOp::Abs => each1(|z: Complex<T>| z.re.hypot(z.im)),
        UnaryOp::Sign => each1(T::complex_sign),
        UnaryOp::Recip => each1(|z: Complex<T>| {
            crate::dtype::compute::arithmetic::complex_div(Complex::new(T::ONE, T::ZERO), z)
        }),
        UnaryOp::Round => {
            map1(|z: Complex<T>| Complex::new(z.re.round_ties_even(), z.im.round_ties_even()))
        }
        UnaryOp::IsNan => map1(|z: Complex<T>| z.re.is_nan() | z.im.is_nan()),
        UnaryOp::IsInf => map1(|z: Complex<T>| z.re.is_infinite() | z.im.is_infinite()),
        UnaryOp::IsFinite => map1(|z: Complex<T>| z.re.is_finite() & z.im.is_finite()),
        UnaryOp::Real => map1(|z: Complex<T>| z.re),
        UnaryOp::Imag => map1(|z: Complex<T>| z.im),
        UnaryOp::Conj => map1(|z: Complex<T>| Complex::new(z.re, -z.im)),
        _ => T::complex_loop(op),
    }
}
