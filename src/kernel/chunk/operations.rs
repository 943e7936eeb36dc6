//! Operations as types.

use super::carrier::{Carrier, Truth};
use super::format::Format;
use crate::dtype::{DType, Element, Kind};
use crate::kernel::binary::BinaryOp;
use crate::kernel::compare::CompareOp;
use crate::kernel::unary::UnaryOp;

/// An operation on two operands.
pub trait BinaryOperation: Copy + 'static {
    /// Its tag.
    const OP: BinaryOp;

    /// What it makes of two elements.
    fn apply<C: Carrier>(a: C, b: C) -> C;
}

/// A comparison.
pub trait Comparison: Copy + 'static {
    /// Its tag.
    const OP: CompareOp;

    /// Whether it holds of two elements.
    fn apply<C: Carrier>(a: C, b: C) -> bool;
}

/// A function of one operand.
pub trait UnaryOperation: Copy + 'static {
    /// Its tag.
    const OP: UnaryOp;
    /// About how long it takes, in additions.
    const COST: usize;
    /// What it makes of elements.
    type Result<T: Element>: Element;

    /// What it makes of an element.
    fn apply<T: Element>(x: T::Carrier) -> <Self::Result<T> as Format>::Carrier;
}

macro_rules! binary {
    ($($Name:ident $name:ident;)*) => {$(
        #[doc = concat!("[`BinaryOp::", stringify!($Name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Name;

        impl BinaryOperation for $Name {
            const OP: BinaryOp = BinaryOp::$Name;

            #[inline(always)]
            fn apply<C: Carrier>(a: C, b: C) -> C {
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
            fn apply<C: Carrier>($a: C, $b: C) -> bool {
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
    ($($Name:ident $name:ident $kind:ident $cost:literal;)*) => {$(
        #[doc = concat!("[`UnaryOp::", stringify!($Name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Name;

        impl UnaryOperation for $Name {
            const OP: UnaryOp = UnaryOp::$Name;
            const COST: usize = $cost;
            functions!(@$kind $name);
        }
    )*};
    (@same $name:ident) => {
        type Result<T: Element> = T;

        #[inline(always)]
        fn apply<T: Element>(x: T::Carrier) -> T::Carrier {
            Carrier::$name(x)
        }
    };
    (@part $name:ident) => {
        type Result<T: Element> = T::Real;

        #[inline(always)]
        fn apply<T: Element>(x: T::Carrier) -> <T::Carrier as Carrier>::Real {
            Carrier::$name(x)
        }
    };
    (@class $name:ident) => {
        type Result<T: Element> = bool;

        #[inline(always)]
        fn apply<T: Element>(x: T::Carrier) -> Truth {
            Truth::of(Carrier::$name(x))
        }
    };
}

functions! {
    Neg neg same 1;
    Abs abs part 1;
    Sign sign same 1;
    Recip recip same 4;
    Sqrt sqrt same 4;
    Exp exp same 16;
    Exp2 exp2 same 16;
    Expm1 exp_m1 same 16;
    Ln ln same 16;
    Log1p ln_1p same 16;
    Log2 log2 same 16;
    Log10 log10 same 16;
    Sin sin same 16;
    Cos cos same 16;
    Tan tan same 16;
    Asin asin same 16;
    Acos acos same 16;
    Atan atan same 16;
    Sinh sinh same 16;
    Cosh cosh same 16;
    Tanh tanh same 16;
    Sigmoid sigmoid same 16;
    Floor floor same 1;
    Ceil ceil same 1;
    Round round same 1;
    Trunc trunc same 1;
    Not not same 1;
    IsNan is_nan class 1;
    IsInf is_inf class 1;
    IsFinite is_finite class 1;
    Real real part 1;
    Imag imag part 1;
    Conj conj same 1;
}

impl BinaryOp {
    /// Whether it has a loop in a dtype that is made of its type: it has a meaning there, and cannot fail. Powers are
    /// computed in dtypes of their own.
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
    /// Whether it has a loop in a dtype that is made of its type.
    pub(crate) const fn loops(self, dtype: DType) -> bool {
        matches!(self, Self::Eq | Self::Ne) || !matches!(dtype.kind(), Kind::Complex)
    }
}

impl UnaryOp {
    /// Whether it has a loop in a dtype that is made of its type.
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
