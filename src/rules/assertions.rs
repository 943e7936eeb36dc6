//! Promotions as compile-time assertions: [`assert_promotes!`](crate::assert_promotes) and
//! [`assert_refused!`](crate::assert_refused).
//!
//! Both find the result by method lookup on a [`Probe`]: an inherent method wins if its bounds hold, else the method of a trait
//! does. So a bound that fails is an answer and not an error. The traits that check the answer name it in their messages.

use core::marker::PhantomData;

use super::promote::{Promote, Rules, SafePromote};
use super::result_type::{CommonDType, DTypeTuple, SafeCommon};
use crate::dtype::StaticDType;

/// Implemented by the expected dtype only.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules `{Dtypes}` promote to `{Self}`, expected `{Expected}`",
    label = "expected `{Expected}`, found `{Self}`",
    note = "`NoCommonDType` and `Unsafe<..>` are refusals; `supremum::assert_refused!({R}: ..)` asserts one"
)]
pub trait IsExpected<Expected, Dtypes, R> {}

#[diagnostic::do_not_recommend]
impl<D, Dtypes, R> IsExpected<D, Dtypes, R> for D {}

/// The outcome if the rules give the dtypes a common one, and refuse the promotion. Of two dtypes it has the verdict.
#[derive(Debug)]
pub struct Unsafe<Out, Verdict = ()>(PhantomData<(Out, Verdict)>);

/// The outcome if the rules give the dtypes no common one.
#[derive(Debug)]
pub struct NoCommonDType;

/// Implemented by [`Unsafe`] and [`NoCommonDType`] only.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules `{Dtypes}` promote to `{Self}`, expected a refusal",
    label = "expected a refusal, found `{Self}`"
)]
pub trait IsRefused<Dtypes, R> {}

#[diagnostic::do_not_recommend]
impl<Out, Verdict, Dtypes, R> IsRefused<Dtypes, R> for Unsafe<Out, Verdict> {}

#[diagnostic::do_not_recommend]
impl<Dtypes, R> IsRefused<Dtypes, R> for NoCommonDType {}

/// Dtypes under rules, whose promotion is looked up by the method `outcome`.
#[derive(Debug)]
pub struct Probe<Dtypes, R>(pub PhantomData<(Dtypes, R)>);

/// One more level around a tuple, so that pairs and tuples have a method each.
#[derive(Debug)]
pub struct Several<Dtypes>(PhantomData<Dtypes>);

impl<Lhs: SafePromote<Rhs, R>, Rhs, R> Probe<(Lhs, Rhs), R> {
    /// The dtype, as a value that never exists.
    pub fn outcome(&self) -> Lhs::Output {
        unreachable!("this code is compiled, not run")
    }
}

impl<Dtypes: SafeCommon<R>, R> Probe<Several<Dtypes>, R> {
    /// The dtype, as a value that never exists.
    pub fn outcome(&self) -> Dtypes::Output {
        unreachable!("this code is compiled, not run")
    }
}

/// The method that is found if the rules refuse the promotion.
pub trait UnsafeOutcome {
    /// An [`Unsafe`].
    type Outcome;

    /// The refusal, as a value that never exists.
    fn outcome(&self) -> Self::Outcome {
        unreachable!("this code is compiled, not run")
    }
}

impl<Lhs: Promote<Rhs, R>, Rhs, R> UnsafeOutcome for Probe<(Lhs, Rhs), R> {
    type Outcome = Unsafe<Lhs::Output, Lhs::Verdict>;
}

impl<Dtypes: CommonDType<R>, R> UnsafeOutcome for Probe<Several<Dtypes>, R> {
    type Outcome = Unsafe<Dtypes::Output>;
}

/// The method that is found if the bounds of the others fail: of a reference, which method lookup comes to last.
pub trait NoOutcome {
    /// The refusal.
    fn outcome(&self) -> NoCommonDType {
        NoCommonDType
    }
}

impl<Dtypes, R> NoOutcome for &Probe<Dtypes, R> {}

/// The bounds of an assertion on a pair. Without them a type that is no dtype would count as refused.
#[cfg_attr(doc, doc(hidden))]
pub const fn are_dtypes<A: StaticDType, B: StaticDType, R: Rules>() {}

/// The bound of an assertion on several dtypes, besides those on each.
#[cfg_attr(doc, doc(hidden))]
pub const fn are_several<Dtypes: DTypeTuple>() {}

/// Asserts at compile time that rules accept the promotion of dtypes, and which dtype they promote to.
///
/// Two dtypes promote as operators promote them, three to six as [`promote`](crate::promote()) does
/// ([`SafeCommon`](crate::SafeCommon)), and a single one promotes with itself. The assertion fails if the rules give another dtype,
/// none, or one that can lose values.
/// Under [`Numpy`](crate::Numpy), [`Torch`](crate::Torch) and [`TensorFlow`](crate::TensorFlow) some operations promote by a
/// table of their own; assert under the rules that promote, such as [`NumpyUfunc`](crate::NumpyUfunc) for NumPy's `+`.
///
/// ```
/// use supremum::{BF16, F16, F32, F64, I8, I32, Jax, Numpy, U8, Weak, assert_promotes};
/// assert_promotes!(Jax: F16, BF16 => F32);
/// assert_promotes!(Jax: U8, F16, BF16 => F32);
/// assert_promotes!(Jax: I32, Weak<F64> => Weak<F64>); // a tensor and a float literal
/// assert_promotes!(Numpy: I32, F32 => F64);
/// assert_promotes!(Jax: I8 => I8);
/// ```
///
/// The message has the expected and the found dtype:
///
/// ```compile_fail,E0277
/// # use supremum::{BF16, F16, Jax, assert_promotes};
/// assert_promotes!(Jax: F16, BF16 => F16); // promote to `F32`, expected `F16`
/// ```
#[macro_export]
macro_rules! assert_promotes {
    // Before the types: `F16 + BF16` would be the type of a trait object.
    ($rules:ty: $first:ident + $($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes, then the result: `(Jax: F16, BF16 => F32)`" }
    };
    (@outcome $rules:ty, $dtypes:ty, $probe:ty, $expected:ty) => {
        const _: fn() = || {
            #[allow(unused_imports, reason = "unused if the dtypes promote")]
            use $crate::__private::{NoOutcome as _, UnsafeOutcome as _};
            let probe = &$crate::__private::Probe::<$probe, $rules>($crate::__private::core::marker::PhantomData);
            // A call would add a line to the message.
            let _: &dyn $crate::rules::IsExpected<$expected, $dtypes, $rules> = &probe.outcome();
        };
    };
    ($rules:ty: $dtype:ty => $expected:ty $(,)?) => {
        $crate::assert_promotes!($rules: $dtype, $dtype => $expected);
    };
    ($rules:ty: $lhs:ty, $rhs:ty => $expected:ty $(,)?) => {
        const _: () = $crate::rules::are_dtypes::<$lhs, $rhs, $rules>();
        $crate::assert_promotes!(@outcome $rules, ($lhs, $rhs), ($lhs, $rhs), $expected);
    };
    ($rules:ty: $($dtype:ty),+ => $expected:ty $(,)?) => {
        const _: () = $crate::rules::are_several::<($($dtype,)+)>();
        $(const _: () = $crate::rules::are_dtypes::<$dtype, $dtype, $rules>();)+
        $crate::assert_promotes!(@outcome $rules, ($($dtype,)+), $crate::__private::Several<($($dtype,)+)>, $expected);
    };
    ($($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes, then the result: `(Jax: F16, BF16 => F32)`" }
    };
}

/// Asserts at compile time that rules refuse the promotion of dtypes: they have no common dtype, or it can lose values.
///
/// Code that mixes these dtypes in an operator then does not compile. Under [`AllowUnsafe`](crate::AllowUnsafe) and in
/// [`promote_unsafe!`](crate::promote_unsafe) it compiles if they have a common dtype. As for
/// [`assert_promotes!`](crate::assert_promotes), three to six dtypes promote as [`promote`](crate::promote()) does, and a single one
/// promotes with itself.
///
/// ```
/// use supremum::{ArrayApi, BF16, F8E4M3FN, F32, I32, I64, Jax, JaxX32, assert_refused};
/// assert_refused!(Jax: I64, F32); // f32 does not have every i64
/// assert_refused!(Jax: F8E4M3FN, BF16); // no common dtype
/// assert_refused!(ArrayApi: I32, F32);
/// assert_refused!(JaxX32: I64); // narrows to `I32`
/// ```
///
/// The message has the dtype that was found:
///
/// ```compile_fail,E0277
/// # use supremum::{I32, I64, Jax, assert_refused};
/// assert_refused!(Jax: I32, I64); // promote to `I64`, expected a refusal
/// ```
#[macro_export]
macro_rules! assert_refused {
    (@outcome $rules:ty, $dtypes:ty, $probe:ty) => {
        const _: fn() = || {
            #[allow(unused_imports, reason = "unused if the dtypes promote")]
            use $crate::__private::{NoOutcome as _, UnsafeOutcome as _};
            let probe = &$crate::__private::Probe::<$probe, $rules>($crate::__private::core::marker::PhantomData);
            // A call would add a line to the message.
            let _: &dyn $crate::rules::IsRefused<$dtypes, $rules> = &probe.outcome();
        };
    };
    ($rules:ty: $first:ident + $($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes: `(Jax: I64, F32)`" }
    };
    ($rules:ty: $dtype:ty $(,)?) => {
        $crate::assert_refused!($rules: $dtype, $dtype);
    };
    ($rules:ty: $lhs:ty, $rhs:ty $(,)?) => {
        const _: () = $crate::rules::are_dtypes::<$lhs, $rhs, $rules>();
        $crate::assert_refused!(@outcome $rules, ($lhs, $rhs), ($lhs, $rhs));
    };
    ($rules:ty: $($dtype:ty),+ $(,)?) => {
        const _: () = $crate::rules::are_several::<($($dtype,)+)>();
        $(const _: () = $crate::rules::are_dtypes::<$dtype, $dtype, $rules>();)+
        $crate::assert_refused!(@outcome $rules, ($($dtype,)+), $crate::__private::Several<($($dtype,)+)>);
    };
    ($($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes: `(Jax: I64, F32)`" }
    };
}
