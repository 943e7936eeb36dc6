//! Operations as types.

use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, Kind};
use crate::kernel::binary::BinaryOp;
use crate::kernel::compare::CompareOp;
use crate::kernel::unary::UnaryOp;
use crate::op::each_unary;

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
    ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident $kinds:tt)*) => {$(
        #[doc = concat!("[`UnaryOp::", stringify!($Op), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl UnaryOperation for $Op {
            const OP: UnaryOp = UnaryOp::$Op;
            functions!(@$Result $name);
        }
    )*};
    (@Itself $name:ident) => {
        type Result<T: Element> = T;

        #[inline(always)]
        fn apply<T: Element>(x: T::Compute) -> T::Compute {
            ComputeType::$name(x)
        }
    };
    (@Part $name:ident) => {
        type Result<T: Element> = T::Real;

        #[inline(always)]
        fn apply<T: Element>(x: T::Compute) -> <T::Compute as ComputeType>::Real {
            ComputeType::$name(x)
        }
    };
    (@Truth $name:ident) => {
        type Result<T: Element> = bool;

        #[inline(always)]
        fn apply<T: Element>(x: T::Compute) -> BoolByte {
            BoolByte::of(ComputeType::$name(x))
        }
    };
}

each_unary!(kernels functions!);

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
