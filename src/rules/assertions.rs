//! Promotions as compile-time assertions: [`assert_promotes!`](crate::assert_promotes) and
//! [`assert_refused!`](crate::assert_refused).
//!
//! Both find the result by method lookup on a [`Probe`]: an inherent method wins if its bounds hold, else the method of a trait
//! does. So a bound that fails is an answer and not an error. The traits that check the answer name it in their messages.

use core::marker::PhantomData;

use super::promote::SafePromote;
use super::result_type::SafeCommon;

/// The bound of an asserted promotion.
// The compiler quotes the line of the bound, with its comment.
#[cfg_attr(doc, doc(hidden))]
pub const fn assert_promotes<Lhs, Rhs, R>()
where
    Lhs: SafePromote<Rhs, R>, // a refusal is asserted by `assert_refused!(Jax: I64, F32)`
{
}

/// The bound of an asserted promotion of several dtypes.
#[cfg_attr(doc, doc(hidden))]
pub const fn assert_promotes_together<Dtypes, R>()
where
    Dtypes: SafeCommon<R>, // a refusal is asserted by `assert_refused!(Jax: I64, F32)`
{
}

/// Implemented by the expected dtype only.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules `{Dtypes}` promote to `{Self}`, expected `{Expected}`",
    label = "expected `{Expected}`, found `{Self}`"
)]
pub trait IsExpected<Expected, Dtypes, R> {
    /// A constant to ask for.
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl<D, Dtypes, R> IsExpected<D, Dtypes, R> for D {}

/// The outcome if the rules refuse the dtypes.
#[derive(Debug)]
pub struct Refused;

/// Implemented by [`Refused`] only.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules `{Dtypes}` promote to `{Self}`, expected a refusal",
    label = "expected a refusal, found `{Self}`"
)]
pub trait IsRefused<Dtypes, R> {}

#[diagnostic::do_not_recommend]
impl<Dtypes, R> IsRefused<Dtypes, R> for Refused {}

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

/// The method that is found if the bounds of the others fail.
pub trait OtherOutcome {
    /// The refusal.
    fn outcome(&self) -> Refused {
        Refused
    }
}

impl<Dtypes, R> OtherOutcome for Probe<Dtypes, R> {}

/// Asserts at compile time that rules accept the promotion of dtypes, and which dtype they promote to.
///
/// Two dtypes promote as operators promote them, three to six as [`promote`](crate::promote()) does
/// ([`SafeCommon`](crate::SafeCommon)). The assertion fails if the rules give another dtype, none, or one that can lose values.
/// Under [`Numpy`](crate::Numpy), [`Torch`](crate::Torch) and [`TensorFlow`](crate::TensorFlow) some operations promote by a
/// table of their own; assert under the rules that promote, such as [`NumpyUfunc`](crate::NumpyUfunc) for NumPy's `+`.
///
/// ```
/// use supremum::{BF16, F16, F32, F64, I32, Jax, Numpy, U8, Weak, assert_promotes};
/// assert_promotes!(Jax: F16, BF16 => F32);
/// assert_promotes!(Jax: U8, F16, BF16 => F32);
/// assert_promotes!(Jax: I32, Weak<F64> => Weak<F64>); // a tensor and a float literal
/// assert_promotes!(Numpy: I32, F32 => F64);
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
    ($rules:ty: $lhs:ty, $rhs:ty => $expected:ty $(,)?) => {
        const _: () = {
            $crate::rules::assert_promotes::<$lhs, $rhs, $rules>();
            <$crate::Promoted<$lhs, $rhs, $rules> as $crate::rules::IsExpected<$expected, ($lhs, $rhs), $rules>>::HOLDS
        };
    };
    ($rules:ty: $($dtype:ty),+ => $expected:ty $(,)?) => {
        const _: () = {
            $crate::rules::assert_promotes_together::<($($dtype,)+), $rules>();
            <$crate::Common<($($dtype,)+), $rules> as $crate::rules::IsExpected<$expected, ($($dtype,)+), $rules>>::HOLDS
        };
    };
    ($($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes, then the result: `(Jax: F16, BF16 => F32)`" }
    };
}

/// Asserts at compile time that rules refuse the promotion of dtypes: they have no common dtype, or it can lose values.
///
/// Code that mixes these dtypes in an operator then does not compile. Under [`AllowUnsafe`](crate::AllowUnsafe) and in
/// [`promote_unsafe!`](crate::promote_unsafe) it compiles if they have a common dtype. As for
/// [`assert_promotes!`](crate::assert_promotes), three to six dtypes promote as [`promote`](crate::promote()) does.
///
/// ```
/// use supremum::{ArrayApi, BF16, F8E4M3FN, F32, I32, I64, Jax, assert_refused};
/// assert_refused!(Jax: I64, F32); // f32 does not have every i64
/// assert_refused!(Jax: F8E4M3FN, BF16); // no common dtype
/// assert_refused!(ArrayApi: I32, F32);
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
            use $crate::__private::OtherOutcome as _;
            let probe = $crate::__private::Probe::<$probe, $rules>($crate::__private::core::marker::PhantomData);
            // A call would add a line to the message.
            let _: &dyn $crate::rules::IsRefused<$dtypes, $rules> = &probe.outcome();
        };
    };
    ($rules:ty: $first:ident + $($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes: `(Jax: I64, F32)`" }
    };
    ($rules:ty: $lhs:ty, $rhs:ty $(,)?) => {
        $crate::assert_refused!(@outcome $rules, ($lhs, $rhs), ($lhs, $rhs));
    };
    ($rules:ty: $($dtype:ty),+ $(,)?) => {
        $crate::assert_refused!(@outcome $rules, ($($dtype,)+), $crate::__private::Several<($($dtype,)+)>);
    };
    ($($other:tt)*) => {
        ::core::compile_error! { "an assertion has the rules, then the dtypes: `(Jax: I64, F32)`" }
    };
}
