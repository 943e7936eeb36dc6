//! Operations as types.

use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, Kind};
use crate::kernel::binary::BinaryOp;
use crate::kernel::compare::CompareOp;
use crate::kernel::unary::UnaryOp;

/// An operation on two operands.
pub trait BinaryOperation: Copy + 'static {
    /// Its tag.
    const OP: BinaryOp;

    /// Applies it to two elements.
    fn apply<C: ComputeType>(a: C, b: C) -> C;
}

/// A comparison.
pub trait Comparison: Copy + 'static {
    /// Its tag.
    const OP: CompareOp;

    /// Returns whether it holds of two elements.
    fn apply<C: ComputeType>(a: C, b: C) -> bool;
}

/// A function of one operand.
pub trait UnaryOperation: Copy + 'static {
    /// Its tag.
    const OP: UnaryOp;
    /// The dtype of its results.
    type Result<T: Element>: Element;

    /// Applies it to an element.
    fn apply<T: Element>(x: T::Compute) -> <Self::Result<T> as Format>::Compute;
}

macro_rules! binary {
    ($($Name:ident $name:ident;)*) => {$(
        #[doc = concat!("[`BinaryOp::", stringify!($Name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Name;

        impl BinaryOperation for $Name {
            const OP: BinaryOp = BinaryOp::$Name;

            #[inline(always)]
            fn apply<C: ComputeType>(a: C, b: C) -> C {
                C::$name(a, b)
            }
        }
    )*};
}

binary! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
    FloorDiv floor_div;
    Rem rem;
    Pow pow;
    Atan2 atan2;
    Min min;
    Max max;
    And and;
    Or or;
    Xor xor;
    Shl shl;
    Shr shr;
}

macro_rules! comparisons {
    ($($Name:ident |$a:ident, $b:ident| $holds:expr;)*) => {$(
        #[doc = concat!("[`CompareOp::", stringify!($Name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Name;

        impl Comparison for $Name {
            const OP: CompareOp = CompareOp::$Name;

            #[inline(always)]
            fn apply<C: ComputeType>($a: C, $b: C) -> bool {
                $holds
            }
        }
    )*};
}

comparisons! {
    Eq |a, b| C::eq(a, b);
    Ne |a, b| !C::eq(a, b);
    Lt |a, b| C::lt(a, b);
    Le |a, b| C::le(a, b);
    Gt |a, b| C::lt(b, a);
    Ge |a, b| C::le(b, a);
}

macro_rules! functions {
    ($($Name:ident $name:ident $kind:ident;)*) => {$(
        #[doc = concat!("[`UnaryOp::", stringify!($Name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Name;

        impl UnaryOperation for $Name {
            const OP: UnaryOp = UnaryOp::$Name;
            functions!(@$kind $name);
        }
    )*};
    (@same $name:ident) => {
        type Result<T: Element> = T;

        #[inline(always)]
        fn apply<T: Element>(x: T::Compute) -> T::Compute {
            ComputeType::$name(x)
        }
    };
    (@part $name:ident) => {
        type Result<T: Element> = T::Real;

        #[inline(always)]
        fn apply<T: Element>(x: T::Compute) -> <T::Compute as ComputeType>::Real {
            ComputeType::$name(x)
        }
    };
    (@class $name:ident) => {
        type Result<T: Element> = bool;

        #[inline(always)]
        fn apply<T: Element>(x: T::Compute) -> BoolByte {
            BoolByte::of(ComputeType::$name(x))
        }
    };
}

functions! {
    Neg neg same;
    Abs abs part;
    Sign sign same;
    Recip recip same;
    Sqrt sqrt same;
    Exp exp same;
    Exp2 exp2 same;
    Expm1 exp_m1 same;
    Ln ln same;
    Log1p ln_1p same;
    Log2 log2 same;
    Log10 log10 same;
    Sin sin same;
    Cos cos same;
    Tan tan same;
    Asin asin same;
    Acos acos same;
    Atan atan same;
    Sinh sinh same;
    Cosh cosh same;
    Tanh tanh same;
    Sigmoid sigmoid same;
    Floor floor same;
    Ceil ceil same;
    Round round same;
    Trunc trunc same;
    Not not same;
    IsNan is_nan class;
    IsInf is_inf class;
    IsFinite is_finite class;
    Real real part;
    Imag imag part;
    Conj conj same;
}

impl BinaryOp {
    /// Whether a fused loop can be compiled for it in a dtype: the operation is defined there and cannot fail. `Pow`
    /// is not: its result is computed in dtypes of its own.
    pub(crate) const fn loops(self, dtype: DType) -> bool {
        match (self, dtype.kind()) {
            (Self::Pow, _) => false,
            (Self::Add | Self::Mul, _) => true,
            (Self::Sub, kind) => !matches!(kind, Kind::Bool),
            (Self::Min | Self::Max, kind) => !matches!(kind, Kind::Complex),
            (Self::Div, kind) => kind.is_inexact(),
            (Self::FloorDiv | Self::Rem | Self::Atan2, kind) => matches!(kind, Kind::Float),
            (Self::And | Self::Or | Self::Xor, kind) => !kind.is_inexact(),
            (Self::Shl | Self::Shr, kind) => kind.is_integer(),
        }
    }
}

impl CompareOp {
    /// Whether a fused loop can be compiled for it in a dtype.
    pub(crate) const fn loops(self, dtype: DType) -> bool {
        matches!(self, Self::Eq | Self::Ne) || !matches!(dtype.kind(), Kind::Complex)
    }
}

impl UnaryOp {
    /// Whether a fused loop can be compiled for it in a dtype.
    pub(crate) const fn loops(self, dtype: DType) -> bool {
        match (self.result(dtype), dtype.kind()) {
            (None, _) => false,
            (_, Kind::Complex) => matches!(
                self,
                Self::Neg
                    | Self::Abs
                    | Self::Conj
                    | Self::Real
                    | Self::Imag
                    | Self::IsNan
                    | Self::IsInf
                    | Self::IsFinite
            ),
            _ => true,
        }
    }
}
