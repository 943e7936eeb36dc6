//! Operations as types.

use crate::dtype::Element;
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::format::Format;
use crate::kernel::binary::op::BinaryOp;
use crate::kernel::compare::CompareOp;
use crate::kernel::unary::UnaryOp;
use crate::op::{each_binary, each_comparison, each_unary};
use crate::simd::Isa;

/// An operation on two operands.
pub trait BinaryOperation: Copy + 'static {
    /// Its tag.
    const OP: BinaryOp;
    /// The elements in which it is computed, of a second operand with elements `Rhs` and a result of type `Out`:
    /// `BinaryDTypes::compute` as a type.
    type In<Rhs: Element, Out: Element>: Element;

    /// Applies it to two elements, in a loop for an instruction set.
    fn apply<T: Format, I: Isa>(a: T::Compute, b: T::Compute) -> T::Compute;
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

    /// Applies it to an element, in a loop for an instruction set.
    fn apply<T: Element, I: Isa>(x: T::Compute) -> <Self::Result<T> as Format>::Compute;
}

macro_rules! operations {
    ($($name:ident: $Op:ident $text:literal, $cost:literal => Itself $kinds:tt)*) => {$(
        #[doc = concat!("[`BinaryOp::", stringify!($Op), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl BinaryOperation for $Op {
            const OP: BinaryOp = BinaryOp::$Op;
            operations!(@in $name);

            #[inline(always)]
            fn apply<T: Format, I: Isa>(a: T::Compute, b: T::Compute) -> T::Compute {
                operations!(@apply T $name a b $kinds)
            }
        }
    )*};
    (@in pow) => { type In<Rhs: Element, Out: Element> = Rhs::PowerOf<Out>; };
    (@in $name:ident) => { type In<Rhs: Element, Out: Element> = Out; };
    (@apply $T:ident $name:ident $a:ident $b:ident { $($of:ident: element |$x:ident, $y:ident| $body:expr;)+ }) => {
        <$T as Format>::$name($T::of($a), $T::of($b)).to_compute()
    };
    (@apply $T:ident $name:ident $a:ident $b:ident $kinds:tt) => {
        <$T::Compute as ComputeType>::$name::<I>($a, $b)
    };
}

each_binary!(kernels operations!);

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $Op:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt)*) => {$(
        #[doc = concat!("[`CompareOp::", stringify!($Op), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl Comparison for $Op {
            const OP: CompareOp = CompareOp::$Op;

            #[inline(always)]
            fn apply<C: ComputeType>($a: C, $b: C) -> bool {
                $holds
            }
        }
    )*};
}

each_comparison!(comparisons!);

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
        fn apply<T: Element, I: Isa>(x: T::Compute) -> T::Compute {
            ComputeType::$name::<I>(x)
        }
    };
    (@Part $name:ident) => {
        type Result<T: Element> = T::Real;

        #[inline(always)]
        fn apply<T: Element, I: Isa>(x: T::Compute) -> <T::Compute as ComputeType>::Real {
            ComputeType::$name::<I>(x)
        }
    };
    (@Truth $name:ident) => {
        type Result<T: Element> = bool;

        #[inline(always)]
        fn apply<T: Element, I: Isa>(x: T::Compute) -> BoolByte {
            BoolByte::of(ComputeType::$name::<I>(x))
        }
    };
}

each_unary!(kernels functions!);
