//! The loss of a conversion, decided in the type system from the `typenum` widths of
//! [`StrongDType`].
//!
//! [`promotion_rules!`](crate::promotion_rules) decides the same from the macro crate's own numbers. Tests compare the two, for each
//! conversion (`tests/types/rules_verdicts.rs`) and for each promotion of the library's rule sets (`tests/rules/conformance.rs`).

use core::marker::PhantomData;

use typenum::{B0, B1, Eq, Gr, IsEqual, IsGreater};

use super::implied_bound::ImpliedBound;
use super::{
    DType, StaticDType, StrongDType, Unranked, Weak, ZeroDim, dispatch_dtype, for_each_marker,
};

/// The effect of a conversion between two dtypes on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Every value is converted exactly (except the payloads of NaNs).
    None,
    /// Every finite value stays in range, but some round.
    Precision,
    /// Some finite values overflow, or lose their imaginary part or their sign (also the sign of zero).
    Range,
}

/// No value is lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lossless;

/// Some values of `D` round.
#[derive(Clone, Copy, Debug, Default)]
pub struct LosesPrecision<D>(PhantomData<D>);

/// Some values of `D` overflow, or lose their sign or their imaginary part.
#[derive(Clone, Copy, Debug, Default)]
pub struct LosesRange<D>(PhantomData<D>);

/// A type-level [`Loss`].
pub trait StaticLoss {
    /// The same at run time.
    const LOSS: Loss;
}
impl StaticLoss for Lossless {
    const LOSS: Loss = Loss::None;
}
impl<D> StaticLoss for LosesPrecision<D> {
    const LOSS: Loss = Loss::Precision;
}
impl<D> StaticLoss for LosesRange<D> {
    const LOSS: Loss = Loss::Range;
}

/// A type-level condition.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition",
    label = "not a bit of `typenum`"
)]
pub trait Select {
    /// `Then` if the condition holds, else `Else`.
    type If<Then: StaticLoss, Else: StaticLoss>: StaticLoss;
    /// The same of any types.
    type Choose<Then, Else>;
}
#[diagnostic::do_not_recommend]
impl Select for B1 {
    type If<Then: StaticLoss, Else: StaticLoss> = Then;
    type Choose<Then, Else> = Then;
}
#[diagnostic::do_not_recommend]
impl Select for B0 {
    type If<Then: StaticLoss, Else: StaticLoss> = Else;
    type Choose<Then, Else> = Else;
}

type If<Condition, Then, Else> = <Condition as Select>::If<Then, Else>;

/// The verdict on the conversion from this dtype to `To`. Implemented for every pair of markers.
#[diagnostic::on_unimplemented(
    message = "no verdict on the conversion from `{Self}` to `{To}` is known",
    label = "not the markers of two dtypes",
    note = "a dtype is a marker such as `F32`; generic code that converts without loss states a bound, `A: WidensTo<B>`"
)]
pub trait Conversion<To> {
    /// [`Lossless`], [`LosesPrecision`] or [`LosesRange`] of this dtype.
    type Loss: StaticLoss;
}

/// Implements the conversions from each marker. One impl for all would also be taken for a type parameter, and its messages would
/// be about widths.
macro_rules! conversions {
    ($($From:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<To> Conversion<To> for super::$From
        where
            Self: ConversionByWidths<To>,
        {
            type Loss = <Self as ConversionByWidths<To>>::Loss;
        }
    )*};
}

for_each_marker! { conversions }

/// The [`Conversion`], from the widths of both dtypes.
pub trait ConversionByWidths<To> {
    /// [`Conversion::Loss`].
    type Loss: StaticLoss;
}

#[diagnostic::do_not_recommend]
impl<From, To> ConversionByWidths<To> for From
where
    From: StrongDType,
    To: StrongDType,
    From::Top: IsGreater<To::Top, Output: Select> + IsEqual<To::Top, Output: Select>,
    From::Digits: IsGreater<To::Digits, Output: Select>,
    From::Bottom: IsGreater<To::Bottom, Output: Select>,
{
    // The largest value has all its digits set: with the same top but fewer digits it rounds up,
    // out of range.
    type Loss =
        If<From::Signed, If<To::Signed, Parts<From, To>, LosesRange<From>>, Parts<From, To>>;
}

type Parts<From, To> = If<
    <From as StrongDType>::Complex,
    If<<To as StrongDType>::Complex, Widths<From, To>, LosesRange<From>>,
    Widths<From, To>,
>;

type Widths<From, To> = If<
    Gr<<From as StrongDType>::Top, <To as StrongDType>::Top>,
    LosesRange<From>,
    If<
        Gr<<From as StrongDType>::Digits, <To as StrongDType>::Digits>,
        If<
            Eq<<From as StrongDType>::Top, <To as StrongDType>::Top>,
            LosesRange<From>,
            LosesPrecision<From>,
        >,
        If<
            Gr<<From as StrongDType>::Bottom, <To as StrongDType>::Bottom>,
            LosesPrecision<From>,
            If<
                <From as StrongDType>::NegativeZero,
                // Without a negative zero there are no infinities either.
                If<<To as StrongDType>::NegativeZero, Lossless, LosesRange<From>>,
                Lossless,
            >,
        >,
    >,
>;

/// Every value of this dtype is exactly a value of `To`; the bound behind
/// [`Tensor::widen`](crate::Tensor::widen). Weakness does not matter. The bound implies that `To` is a dtype.
///
/// ```
/// use supremum::{F16, F32, WidensTo};
/// fn takes_anything_in_f32<D: WidensTo<F32>>() {}
/// takes_anything_in_f32::<F16>();
/// ```
///
/// ```compile_fail,E0277
/// # use supremum::{F32, I64, WidensTo};
/// # fn takes_anything_in_f32<D: WidensTo<F32>>() {}
/// takes_anything_in_f32::<I64>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not widen to `{To}`",
    label = "it is not known that every value of `{Self}` is a value of `{To}`",
    note = "accept the loss with `.cast::<{To}>()`, or check each value of a tensor with `.try_cast::<{To}>()?` in a function that returns a `Result`; if `{Self}` is a type parameter, its bound is `{Self}: WidensTo<{To}>`, not the reverse; `dispatch!` without a list of dtypes runs its code for all of them: `dispatch!(d in [F16, F32], |t| ..)`"
)]
pub trait WidensTo<To>: StaticDType + ImpliedBound<To, Is: StaticDType> {}

/// Sums of products of this dtype can have the dtype `To`, which has every value of this one; the bound behind
/// [`Tensor::matmul_in`](crate::Tensor::matmul_in).
///
/// ```
/// use supremum::{AccumulatesIn, BF16, F32, I8, I32};
/// fn sums<D: AccumulatesIn<To>, To>() {}
/// sums::<BF16, F32>();
/// sums::<I8, I32>();
/// ```
///
/// ```compile_fail,E0277
/// # use supremum::{AccumulatesIn, BF16, F16};
/// # fn sums<D: AccumulatesIn<To>, To>() {}
/// sums::<BF16, F16>();
/// ```
#[diagnostic::on_unimplemented(
    message = "products of `{Self}` do not accumulate in `{To}`",
    label = "the operands promote to `{Self}`, and it is not known that every value of it is a value of `{To}`",
    note = "name a dtype that has all values: `F32` or `F64` for floats of 8 and 16 bits, `I32` or `I64` for integers of 8 and 16 bits; or convert the product: `a.matmul(&b).cast::<{To}>()`; generic code states a bound: `D: Floating + supremum::AccumulatesIn<{To}>`"
)]
pub trait AccumulatesIn<To>: StaticDType + ImpliedBound<To, Is: StaticDType> {}

/// The verdict on the conversion from `From` is [`Lossless`].
// `Self` is the target, because the compiler selects no impl for a type that it has not inferred. Else it would go on to the widths, and
// say of each that it is not known.
pub trait HoldsAllOf<From> {}

#[diagnostic::do_not_recommend]
impl<From, To> HoldsAllOf<From> for To
where
    From: StaticDType,
    To: StaticDType,
    From::Strong: Conversion<To::Strong, Loss = Lossless>,
{
}

/// Implements [`WidensTo`] and [`AccumulatesIn`] for each kind of dtype. One impl for all would also be taken for a type parameter, and
/// rustc would propose a bound on [`Conversion`] instead of these.
macro_rules! bounds {
    ($($From:ident)*) => {
        bounds! { @impl $([] super::$From;)* [D: StrongDType,] Weak<D>; [D: StrongDType,] ZeroDim<D>; [D: StrongDType,] Unranked<D>; }
    };
    (@impl $([$($generics:tt)*] $From:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)* To> WidensTo<To> for $From
        where
            To: StaticDType + HoldsAllOf<Self>,
        {
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)* To> AccumulatesIn<To> for $From
        where
            To: StaticDType + HoldsAllOf<Self>,
        {
        }
    )*};
}

for_each_marker! { bounds }

/// The losses of converting a dtype to each dtype, in their order.
trait Losses {
    const LOSSES: [Loss; DType::ALL.len()];
}

/// Implements [`Losses`] for all dtypes at once: the compiler checks one row, and not an expression for each pair.
macro_rules! losses {
    ($($To:ident)*) => {
        impl<From: $(Conversion<super::$To> +)*> Losses for From {
            const LOSSES: [Loss; DType::ALL.len()] =
                [$(<From as Conversion<super::$To>>::Loss::LOSS),*];
        }
    };
}

for_each_marker! { losses }

impl DType {
    /// The effect of converting this dtype to `to` on values.
    ///
    /// ```
    /// use supremum::{DType, Loss};
    /// assert_eq!(DType::I64.loss_to(DType::F32), Loss::Precision);
    /// assert_eq!(DType::U16.loss_to(DType::F16), Loss::Range); // 65,535 rounds to infinity
    /// ```
    pub const fn loss_to(self, to: Self) -> Loss {
        dispatch_dtype!(self, From => From::LOSSES[to.index()])
    }
}
