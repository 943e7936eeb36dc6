//! Operators between two operands: `+ - * / %`, floor division, `& | ^`, shifts, `atan2`,
//! `minimum` and `maximum`.

use core::ops;

use super::operand::{Lowered, Operand, landing, promoted, result};
use crate::dtype::{DType, StaticDType, Unnamed, c128};
use crate::error::Error;
use crate::kernel::{self, BinaryOp};
use crate::rank::{Broadcast, Rank, Rank0};
use crate::rules::operations::{
    Add, Arctangent, Bitwise, Divide, FloorDivide, Minimum, Multiply, Shift, Subtract,
};
use crate::rules::{AllowUnsafe, Promoted, Rules, SafePromote, SameRules};
use crate::tensor::{PromoteUnsafe, Tensor, or_panic};

/// Runs a kernel on two operands of any kind. A literal has to fit the promoted dtype, also where
/// the operation makes another one of it: a `U8` refuses to be divided by 300.
pub(super) fn binary<'a, L, M, R, Out, N>(
    op: BinaryOp,
    promoted: DType,
    lhs: L,
    rhs: M,
) -> Result<Tensor<Out, N, R>, Error>
where
    L: Operand<'a, R>,
    M: Operand<'a, R>,
    R: Rules,
    Out: StaticDType,
    N: Rank,
{
    let landing = landing::<L, M, R>();
    let Lowered(lhs) = lhs.lower(op.name(), promoted, landing)?;
    let Lowered(rhs) = rhs.lower(op.name(), promoted, landing)?;
    kernel::binary(op, Out::DTYPE, lhs, rhs).map(Tensor::from_array)
}

/// The methods of one operation: the `try_` form, and where no operator exists, in brackets, the
/// form that panics.
macro_rules! method {
    ([$($doc:literal)+] [$name:ident] $try_name:ident: $kernel:ident, $group:ident) => {
        method!([$($doc)+] $try_name: $kernel, $group);

        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
            #[doc = concat!("[`Self::", stringify!($try_name), "`] for operands that fit together.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            #[track_caller]
            pub fn $name<'a, Rhs>(
                &'a self,
                rhs: Rhs,
            ) -> Tensor<
                result!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group),
                <N as Broadcast<Rhs::Rank>>::Output,
                R,
            >
            where
                Rhs: Operand<'a, R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group>,
                N: Broadcast<Rhs::Rank>,
                promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group):
                    $group<<Rhs::Under as Rules>::Operations>,
            {
                or_panic(self.$try_name(rhs))
            }
        }
    };
    ([$($doc:literal)+] $try_name:ident: $kernel:ident, $group:ident) => {
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::LiteralOutOfRange`] for a
            /// literal that the result's dtype does not have; on integers [`Error::DivisionByZero`] where
            /// the operation divides.
            pub fn $try_name<'a, Rhs>(
                &'a self,
                rhs: Rhs,
            ) -> Result<
                Tensor<
                    result!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group),
                    <N as Broadcast<Rhs::Rank>>::Output,
                    R,
                >,
                Error,
            >
            where
                Rhs: Operand<'a, R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group>,
                N: Broadcast<Rhs::Rank>,
                promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group):
                    $group<<Rhs::Under as Rules>::Operations>,
            {
                let promoted =
                    <promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group) as StaticDType>::DTYPE;
                binary(BinaryOp::$kernel, promoted, self, rhs)
            }
        }
    };
}

macro_rules! methods {
    ($($(#[doc = $doc:literal])+ $([$name:ident])? $try_name:ident: $kernel:ident, $group:ident;)*) => {
        $(method!([$($doc)+] $([$name])? $try_name: $kernel, $group);)*
    };
}

methods! {
    /// Adds by element: the operator `+`, fallible. Integers wrap; on booleans it is or.
    ///
    /// The result has the promoted dtype and the broadcast shape. The operands are cast first, then
    /// added.
    ///
    /// ```
    /// use supremum::{Error, I8, I16, U8, Tensor, tensor};
    /// let a: Tensor<I8> = tensor![-128, 127];
    /// let b: Tensor<U8> = tensor![255, 1];
    /// let sum: Tensor<I16> = a.try_add(&b)?;
    /// assert_eq!(sum.to_vec(), [127, 128]);
    /// let three: Tensor<U8> = tensor![1, 2, 3];
    /// assert!(matches!(a.try_add(&three), Err(Error::ShapeMismatch { .. })));
    /// assert!(matches!(b.try_add(300), Err(Error::LiteralOutOfRange { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    try_add: Add, Add;
    /// Subtracts by element: the operator `-`, fallible. Integers wrap; not defined between booleans.
    try_sub: Sub, Subtract;
    /// Multiplies by element: the operator `*`, fallible. Integers wrap; on booleans it is and.
    try_mul: Mul, Multiply;
    /// True division by element: the operator `/`, fallible. The result is inexact: dividing two
    /// `I32` gives `F32` under JAX's rules. Division by zero gives an infinity or NaN.
    ///
    /// ```
    /// use supremum::{F32, I32, Tensor, tensor};
    /// let a: Tensor<I32> = tensor![7, -1];
    /// let quotient: Tensor<F32> = a.try_div(2)?;
    /// assert_eq!(quotient.to_vec(), [3.5, -0.5]);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    try_div: Div, Divide;
    /// The remainder of floor division by element, with the sign of the divisor, as in Python: the
    /// operator `%`, fallible.
    ///
    /// ```
    /// use supremum::{I32, Tensor, tensor};
    /// let a: Tensor<I32> = tensor![7, -7];
    /// assert_eq!(a.try_rem(3)?.to_vec(), [1, 2]);
    /// assert!(a.try_rem(0).is_err());
    /// # Ok::<(), supremum::Error>(())
    /// ```
    try_rem: Rem, FloorDivide;
    /// Division rounded down, by element.
    ///
    /// ```
    /// use supremum::{I32, Tensor, tensor};
    /// let a: Tensor<I32> = tensor![7, -7];
    /// assert_eq!(a.floor_div(2).to_vec(), [3, -4]);
    /// ```
    [floor_div] try_floor_div: FloorDiv, FloorDivide;
    /// And by element, on integers by bit: the operator `&`, fallible.
    try_bitand: And, Bitwise;
    /// Or by element, on integers by bit: the operator `|`, fallible.
    try_bitor: Or, Bitwise;
    /// Exclusive or by element, on integers by bit: the operator `^`, fallible.
    try_bitxor: Xor, Bitwise;
    /// Shifts left by element: the operator `<<`, fallible. Shifting by the width or more (or by a
    /// negative count) gives 0.
    try_shl: Shl, Shift;
    /// Shifts right by element: the operator `>>`, fallible. Signed integers keep their sign;
    /// shifting by the width or more (or by a negative count) leaves 0 or -1.
    try_shr: Shr, Shift;
    /// The angle of the point `(rhs, self)` in radians, by element, within -pi to pi.
    ///
    /// ```
    /// use supremum::{F64, Tensor, tensor};
    /// let y: Tensor<F64> = tensor![1.0, -1.0];
    /// let x: Tensor<F64> = tensor![0.0, 0.0];
    /// let angle = y.atan2(&x);
    /// assert_eq!(angle.to_vec(), [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2]);
    /// ```
    [atan2] try_atan2: Atan2, Arctangent;
    /// The smaller of two, by element; NaN if either is.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![-1.5, 0.5];
    /// assert_eq!(t.minimum(0.0).to_vec(), [-1.5, 0.0]);
    /// ```
    [minimum] try_minimum: Min, Minimum;
    /// The greater of two, by element; NaN if either is.
    [maximum] try_maximum: Max, Minimum;
}

/// The rules that promote the operands of an operator: those that `R` names for the group, or the same
/// with unsafe promotions admitted.
macro_rules! promoting {
    (safe $group:ident) => { <R as Rules>::$group };
    (admitting $group:ident) => { AllowUnsafe<<R as Rules>::$group> };
}

/// One impl of an operator for two operands, given what they are in the promotion.
macro_rules! operator_impl {
    (
        [$($generics:tt)*] $trait:ident::$method:ident ($kernel:ident, $group:ident)
        $left:ty, $right:ty, $lhs:ty, $rhs:ty, $n:ty, $m:ty, $judged:ident
        $(, where $($bound:tt)+)?
    ) => {
        /// Panics with the text of the `try_` method's error.
        impl<$($generics)*, R: Rules> ops::$trait<$right> for $left
        where
            $($($bound)+,)?
            $lhs: SafePromote<$rhs, promoting!($judged $group)>,
            $n: Broadcast<$m>,
            Promoted<$lhs, $rhs, promoting!($judged $group)>: $group<R::Operations>,
        {
            type Output = Tensor<
                <Promoted<$lhs, $rhs, promoting!($judged $group)> as $group<R::Operations>>::Output,
                <$n as Broadcast<$m>>::Output,
                R,
            >;

            #[track_caller]
            fn $method(self, rhs: $right) -> Self::Output {
                let promoted =
                    <Promoted<$lhs, $rhs, promoting!($judged $group)> as StaticDType>::DTYPE;
                or_panic(binary(BinaryOp::$kernel, promoted, self, rhs))
            }
        }
    };
}

/// All impls of one operator.
macro_rules! operator {
    ($trait:ident::$method:ident ($($op:tt)+)) => {
        operator!(@tensors $trait::$method ($($op)+) Tensor<A, N, R>, Tensor<B, M, S>);
        operator!(@tensors $trait::$method ($($op)+) Tensor<A, N, R>, &Tensor<B, M, S>);
        operator!(@tensors $trait::$method ($($op)+) &Tensor<A, N, R>, Tensor<B, M, S>);
        operator!(@tensors $trait::$method ($($op)+) &Tensor<A, N, R>, &Tensor<B, M, S>);
        operator!(@unsafe $trait::$method ($($op)+) PromoteUnsafe<A, N, R>, PromoteUnsafe<B, M, S>);
        operator!(@unsafe $trait::$method ($($op)+) PromoteUnsafe<A, N, R>, Tensor<B, M, S>);
        operator!(@unsafe $trait::$method ($($op)+) PromoteUnsafe<A, N, R>, &Tensor<B, M, S>);
        operator!(@unsafe $trait::$method ($($op)+) Tensor<A, N, R>, PromoteUnsafe<B, M, S>);
        operator!(@unsafe $trait::$method ($($op)+) &Tensor<A, N, R>, PromoteUnsafe<B, M, S>);
        operator!(@literal $trait::$method ($($op)+) i64, Int);
        operator!(@literal $trait::$method ($($op)+) f64, Float);
        operator!(@literal $trait::$method ($($op)+) c128, Complex);
        operator!(@literal $trait::$method ($($op)+) bool, Bool);
        operator!(@unnamed $trait::$method Tensor<A, N, R>, Unnamed);
        operator!(@unnamed $trait::$method Tensor<A, N, R>, (Unnamed,));
        operator!(@unnamed $trait::$method &Tensor<A, N, R>, Unnamed);
        operator!(@unnamed $trait::$method &Tensor<A, N, R>, (Unnamed,));
    };
    // Right operands that always fit. Where generic code states too little, the other impls drop
    // out; were one left, inference would pin it and report a bare type mismatch. With two left it
    // reports the bound that is missing.
    (@unnamed $trait:ident::$method:ident $left:ty, $right:ty) => {
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<A: StaticDType, N: Rank, R: Rules> ops::$trait<$right> for $left {
            type Output = Tensor<A, N, R>;

            fn $method(self, _: $right) -> Self::Output {
                unreachable!("an operand of an empty type")
            }
        }
    };
    (@tensors $trait:ident::$method:ident ($($op:tt)+) $left:ty, $right:ty) => {
        operator_impl!(
            [A: StaticDType, B: StaticDType, N: Rank, M: Rank, S: Rules] $trait::$method ($($op)+)
            $left, $right, R::Operand<A, N>, R::Operand<B, M>, N, M, safe, where R: SameRules<S>
        );
    };
    (@unsafe $trait:ident::$method:ident ($($op:tt)+) $left:ty, $right:ty) => {
        operator_impl!(
            [A: StaticDType, B: StaticDType, N: Rank, M: Rank, S: Rules] $trait::$method ($($op)+)
            $left, $right, R::Operand<A, N>, R::Operand<B, M>, N, M, admitting, where R: SameRules<S>
        );
    };
    (@literal $trait:ident::$method:ident ($($op:tt)+) $literal:ty, $weak:ident) => {
        operator_impl!([A: StaticDType, N: Rank] $trait::$method ($($op)+) Tensor<A, N, R>, $literal, R::Operand<A, N>, R::$weak, N, Rank0, safe);
        operator_impl!([A: StaticDType, N: Rank] $trait::$method ($($op)+) &Tensor<A, N, R>, $literal, R::Operand<A, N>, R::$weak, N, Rank0, safe);
        operator_impl!([A: StaticDType, N: Rank] $trait::$method ($($op)+) PromoteUnsafe<A, N, R>, $literal, R::Operand<A, N>, R::$weak, N, Rank0, admitting);
        operator_impl!([B: StaticDType, M: Rank] $trait::$method ($($op)+) $literal, PromoteUnsafe<B, M, R>, R::$weak, R::Operand<B, M>, Rank0, M, admitting);
        operator_impl!([B: StaticDType, M: Rank] $trait::$method ($($op)+) $literal, Tensor<B, M, R>, R::$weak, R::Operand<B, M>, Rank0, M, safe);
        operator_impl!([B: StaticDType, M: Rank] $trait::$method ($($op)+) $literal, &Tensor<B, M, R>, R::$weak, R::Operand<B, M>, Rank0, M, safe);
    };
}

operator!(Add::add(Add, Add));
operator!(Sub::sub(Sub, Subtract));
operator!(Mul::mul(Mul, Multiply));
operator!(Div::div(Div, Divide));
operator!(Rem::rem(Rem, FloorDivide));
operator!(BitAnd::bitand(And, Bitwise));
operator!(BitOr::bitor(Or, Bitwise));
operator!(BitXor::bitxor(Xor, Bitwise));
operator!(Shl::shl(Shl, Shift));
operator!(Shr::shr(Shr, Shift));

/// `lhs op= rhs`: the promotion must be the left side's own dtype, and the broadcast shape its own.
macro_rules! assign {
    ($($trait:ident::$method:ident $operator:ident::$op:ident $symbol:literal;)*) => {$(
        /// Panics with the text of the `try_` method's error, and if the right side would enlarge the
        /// left.
        impl<D, N, R, Rhs> ops::$trait<Rhs> for Tensor<D, N, R>
        where
            D: StaticDType,
            N: Rank,
            R: Rules,
            for<'a> &'a Self: ops::$operator<Rhs, Output = Self>,
        {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                let result = ops::$operator::$op(&*self, rhs);
                if result.shape() != self.shape() {
                    let (lhs, rhs) = (self.shape().to_vec(), result.shape().to_vec());
                    or_panic(Err(Error::ShapeMismatch { operation: $symbol, lhs, rhs }))
                }
                *self = result;
            }
        }
    )*};
}

assign! {
    AddAssign::add_assign Add::add "+=";
    SubAssign::sub_assign Sub::sub "-=";
    MulAssign::mul_assign Mul::mul "*=";
    DivAssign::div_assign Div::div "/=";
    RemAssign::rem_assign Rem::rem "%=";
    BitAndAssign::bitand_assign BitAnd::bitand "&=";
    BitOrAssign::bitor_assign BitOr::bitor "|=";
    BitXorAssign::bitxor_assign BitXor::bitxor "^=";
    ShlAssign::shl_assign Shl::shl "<<=";
    ShrAssign::shr_assign Shr::shr ">>=";
}
