//! Literals as types, so that the compiler judges whether a dtype has their value: what messages about literals name.
//!
//! Use [`FitsLiteral`] and [`literal!`](crate::literal).
//!
//! A literal's type has its value, which messages print, and its level: the macro crate numbers the bounds of all
//! dtypes, and makes of them what each dtype says to each level. `Scalar::fits` decides the same at run time; a test
//! compares the two.

mod scalar;

use core::marker::PhantomData;

pub use scalar::Scalar;

use crate::dtype::*;

/// The dtype has the value of a literal, which [`literal!`](crate::literal) gives as a type.
///
/// [`tensor!`](crate::tensor) asks for it, so that a literal that does not fit does not compile. An integer lands
/// in integer dtypes within their range; in floats it may round, but not overflow. A float lands in float dtypes
/// without overflow, and in no integer dtype. `true` and `false` fit everywhere, in `Bool` nothing but these, `0`
/// and `1`. A complex dtype has the literals of its parts, and `Weak<D>` those of `D`.
///
/// Generic code states it as a bound for the literals it uses. Every dtype has `0`, `1`, `true` and `false`, for which
/// macros ask no bound; and of the literals in one `tensor!` they ask for the largest integer only, the most negative
/// one and the largest float.
///
/// ```
/// use supremum::{F16, FitsLiteral, StaticDType, Tensor, U8, literal, tensor};
///
/// fn extremes<D: StaticDType + FitsLiteral<literal!(255)>>() -> Tensor<D> {
///     tensor![0, 128, 255]
/// }
/// assert_eq!(extremes::<U8>().to_vec(), [0, 128, 255]);
///
/// /// What a kernel of signed weights needs, with a name.
/// trait Weight: StaticDType + FitsLiteral<literal!(-4)> + FitsLiteral<literal!(0.5)> {}
/// impl<D: StaticDType + FitsLiteral<literal!(-4)> + FitsLiteral<literal!(0.5)>> Weight for D {}
///
/// fn sharpen<D: Weight>() -> Tensor<D> {
///     tensor![-1, -4, 0.5]
/// }
/// assert_eq!(sharpen::<F16>().shape(), [3]);
/// ```
///
/// ```compile_fail,E0277
/// # use supremum::{FitsLiteral, I8, literal};
/// fn holds_bytes<D: FitsLiteral<literal!(255)>>() {}
/// holds_bytes::<I8>(); // the literal `255` does not fit in `I8`
/// ```
// The dtype is `Self` here, and the literal in the trait below. Asked about a dtype that is not inferred yet, the compiler
// would take the one of a bound `literal!(2): LandsIn<D>` for it, whatever other dtypes there are; about `Self` it does not
// guess. The impls are on the trait below, for any literal, so that messages list no other impls.
pub trait FitsLiteral<L>: Sized {
    /// The proof that macros ask for. A constant, since of a call the compiler would point at the function as well.
    #[doc(hidden)]
    const JUDGED: Judged<Self> = Judged::EVERYWHERE;
}

impl<L: LandsIn<D>, D> FitsLiteral<L> for D {}

/// [`FitsLiteral`] with the literal as `Self`.
#[diagnostic::on_unimplemented(
    message = "not every dtype `{D}` has this literal",
    label = "the bounds on `{D}` do not say that it has",
    note = "generic code states it, with the literal in place of the dots: `{D}: FitsLiteral<literal!(..)>`"
)]
pub trait LandsIn<D> {}

/// A dtype that has every literal, so that none is judged before it lands:
/// [`Rules::LiteralRange`](crate::Rules::LiteralRange) of [`AllowUnsafe`](crate::AllowUnsafe).
#[derive(Clone, Copy, Debug)]
pub struct Unbounded;

#[diagnostic::do_not_recommend]
impl<L> LandsIn<Unbounded> for L {}

/// Some literal is a value of `D`.
#[derive(Clone, Copy, Debug)]
pub struct Judged<D>(PhantomData<D>);

impl<D> Judged<D> {
    /// Of a literal that every dtype has: `0`, `1`, `true` or `false`.
    pub const EVERYWHERE: Self = Self(PhantomData);
}

impl<L: LandsIn<D>, D> LandsIn<Weak<D>> for L {}

/// An integer literal. Its level is one among the bounds of all dtypes.
#[derive(Clone, Copy, Debug)]
pub struct IntLiteral<const VALUE: i128, const LEVEL: i8>;

/// A float literal such as `1.5`.
#[derive(Clone, Copy, Debug)]
pub struct DecimalLiteral<const WHOLE: i128, const FRACTION: i128, const LEVEL: i8>;

/// A float literal such as `1e39`.
#[derive(Clone, Copy, Debug)]
pub struct ScientificLiteral<const MANTISSA: i128, const EXPONENT: i128, const LEVEL: i8>;

/// A float literal such as `3.5e38`.
#[derive(Clone, Copy, Debug)]
pub struct FloatLiteral<
    const WHOLE: i128,
    const FRACTION: i128,
    const EXPONENT: i128,
    const LEVEL: i8,
>;

/// `true` or `false`.
#[derive(Clone, Copy, Debug)]
pub struct BoolLiteral<const VALUE: bool>;

/// The dtype has the literal.
#[derive(Clone, Copy, Debug)]
pub struct Fits;
/// An integer beyond the range of an integer dtype.
#[derive(Clone, Copy, Debug)]
pub struct OutOfRange;
/// A negative integer for an unsigned dtype.
#[derive(Clone, Copy, Debug)]
pub struct Negative;
/// A number for `Bool`.
#[derive(Clone, Copy, Debug)]
pub struct NoTruthValue;
/// A float for an integer dtype.
#[derive(Clone, Copy, Debug)]
pub struct IsFloat;
/// A number beyond the largest of a float dtype.
#[derive(Clone, Copy, Debug)]
pub struct Overflows;

/// Integers of one level.
#[derive(Clone, Copy, Debug)]
pub struct Ints<const LEVEL: i8>;
/// Floats of one level.
#[derive(Clone, Copy, Debug)]
pub struct Floats<const LEVEL: i8>;

/// A literal beside a dtype: implemented for every pair of the two, if its conditions hold. They are bounds of
/// their own, one for each reason against the literal, so that the one that fails has a message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a literal",
    label = "not the type of a literal",
    note = "write the literal in `literal!(..)`"
)]
pub trait LiteralOf<D> {}

macro_rules! reasons {
    ($($verdict:ident: $trait:ident [$($number:ident $type:ident),+] $message:literal, $label:literal, $note:literal;)*) => {$(
        #[doc = concat!("Holds for every verdict but [`", stringify!($verdict), "`].")]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $trait<D, $(const $number: $type),+> {}
        reasons! { @impls $verdict: $trait [$($number $type),+] }
    )*};
    (@impls OutOfRange: $($trait:tt)*) => { reasons! { @but [Fits Negative NoTruthValue Overflows] $($trait)* } };
    (@impls Negative: $($trait:tt)*) => { reasons! { @but [Fits OutOfRange NoTruthValue Overflows] $($trait)* } };
    (@impls Overflows: $($trait:tt)*) => { reasons! { @but [Fits OutOfRange Negative IsFloat NoTruthValue] $($trait)* } };
    (@impls IsFloat: $($trait:tt)*) => { reasons! { @but [Fits Overflows NoTruthValue] $($trait)* } };
    (@impls NoTruthValue: $($trait:tt)*) => { reasons! { @but [Fits OutOfRange Negative Overflows IsFloat] $($trait)* } };
    (@but [] $($trait:tt)*) => {};
    (@but [$verdict:ident $($more:ident)*] $trait:ident [$($number:ident $type:ident),+]) => {
        #[diagnostic::do_not_recommend]
        impl<D, $(const $number: $type),+> $trait<D, $($number),+> for $verdict {}
        reasons! { @but [$($more)*] $trait [$($number $type),+] }
    };
}

reasons! {
    OutOfRange: InRange [VALUE i128]
        "the literal `{VALUE}` does not fit in `{D}`",
        "out of range for `{D}`",
        "a literal takes the dtype of its tensor: choose a wider one, or convert first, e.g. `.cast::<I64>()`";
    Negative: HasSign [VALUE i128]
        "the literal `{VALUE}` is negative but `{D}` is unsigned",
        "`{D}` has no negative numbers",
        "a literal takes the dtype of its tensor: choose a signed one, or convert first, e.g. `.cast::<I64>()`";
    NoTruthValue: IsTruth [VALUE i128]
        "the literal `{VALUE}` is an integer but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose an integer dtype";
    Overflows: IntIsFinite [VALUE i128]
        "the literal `{VALUE}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range, or convert first, e.g. `.cast::<F64>()`";

    IsFloat: DecimalIsInteger [WHOLE i128, FRACTION i128]
        "the literal `{WHOLE}.{FRACTION}` is a float but `{D}` holds integers",
        "`{D}` holds integers",
        "write an integer, choose a float dtype, or convert the tensor first, e.g. `.cast::<F32>()`";
    NoTruthValue: DecimalIsTruth [WHOLE i128, FRACTION i128]
        "the literal `{WHOLE}.{FRACTION}` is a float but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose a float dtype";
    Overflows: DecimalIsFinite [WHOLE i128, FRACTION i128]
        "the literal `{WHOLE}.{FRACTION}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range, or convert first, e.g. `.cast::<F64>()`";

    IsFloat: ScientificIsInteger [MANTISSA i128, EXPONENT i128]
        "the literal `{MANTISSA}e{EXPONENT}` is a float but `{D}` holds integers",
        "`{D}` holds integers",
        "write an integer, choose a float dtype, or convert the tensor first, e.g. `.cast::<F32>()`";
    NoTruthValue: ScientificIsTruth [MANTISSA i128, EXPONENT i128]
        "the literal `{MANTISSA}e{EXPONENT}` is a float but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose a float dtype";
    Overflows: ScientificIsFinite [MANTISSA i128, EXPONENT i128]
        "the literal `{MANTISSA}e{EXPONENT}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range, or convert first, e.g. `.cast::<F64>()`";

    IsFloat: FloatIsInteger [WHOLE i128, FRACTION i128, EXPONENT i128]
        "the literal `{WHOLE}.{FRACTION}e{EXPONENT}` is a float but `{D}` holds integers",
        "`{D}` holds integers",
        "write an integer, choose a float dtype, or convert the tensor first, e.g. `.cast::<F32>()`";
    NoTruthValue: FloatIsTruth [WHOLE i128, FRACTION i128, EXPONENT i128]
        "the literal `{WHOLE}.{FRACTION}e{EXPONENT}` is a float but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose a float dtype";
    Overflows: FloatIsFinite [WHOLE i128, FRACTION i128, EXPONENT i128]
        "the literal `{WHOLE}.{FRACTION}e{EXPONENT}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range, or convert first, e.g. `.cast::<F64>()`";
}

/// What each dtype makes of the literals of one level.
macro_rules! define_levels {
    ($dtypes:tt Ints { $($int:literal $ints:tt)* } Floats { $($float:literal $floats:tt)* }) => {
        define_levels! { @dtypes $dtypes }
        $(define_levels! { @level Ints $int $dtypes $ints })*
        $(define_levels! { @level Floats $float $dtypes $floats })*
        define_levels! {
            @floats $dtypes
            DecimalLiteral [WHOLE FRACTION] DecimalIsInteger DecimalIsTruth DecimalIsFinite;
            ScientificLiteral [MANTISSA EXPONENT] ScientificIsInteger ScientificIsTruth ScientificIsFinite;
            FloatLiteral [WHOLE FRACTION EXPONENT] FloatIsInteger FloatIsTruth FloatIsFinite;
        }
    };
    (@dtypes [$($dtype:ident)*]) => {
        /// The verdict of every dtype.
        pub trait Level {
            $(
                #[doc = concat!("That of `", stringify!($dtype), "`.")]
                type $dtype;
            )*
        }

        $(
            impl<L: LiteralOf<$dtype>> LandsIn<$dtype> for L {}

            #[diagnostic::do_not_recommend]
            impl<const VALUE: bool> LiteralOf<$dtype> for BoolLiteral<VALUE> {}

            impl<const VALUE: i128, const LEVEL: i8> LiteralOf<$dtype> for IntLiteral<VALUE, LEVEL>
            where
                Ints<LEVEL>: Level,
                <Ints<LEVEL> as Level>::$dtype: InRange<$dtype, VALUE>
                    + HasSign<$dtype, VALUE>
                    + IsTruth<$dtype, VALUE>
                    + IntIsFinite<$dtype, VALUE>,
            {
            }
        )*
    };
    (@level $kind:ident $level:literal [$($dtype:ident)*] [$($verdict:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl Level for $kind<$level> {
            $(type $dtype = $verdict;)*
        }
    };
    (@floats $dtypes:tt $($literal:ident $numbers:tt $integer:ident $truth:ident $finite:ident;)*) => {
        $(define_levels! { @float $dtypes $literal $numbers $integer $truth $finite })*
    };
    (@float [] $($literal:tt)*) => {};
    (@float [$dtype:ident $($more:ident)*] $literal:ident [$($number:ident)*] $integer:ident $truth:ident $finite:ident) => {
        impl<$(const $number: i128,)* const LEVEL: i8> LiteralOf<$dtype> for $literal<$($number,)* LEVEL>
        where
            Floats<LEVEL>: Level,
            <Floats<LEVEL> as Level>::$dtype:
                $integer<$dtype, $($number),*> + $truth<$dtype, $($number),*> + $finite<$dtype, $($number),*>,
        {
        }
        define_levels! { @float [$($more)*] $literal [$($number)*] $integer $truth $finite }
    };
}

supremum_macros::with_literal_levels!(define_levels);

/// The type of a literal without a suffix, for bounds in generic code: [`FitsLiteral`](crate::FitsLiteral).
///
/// It takes what [`tensor!`](crate::tensor) judges: `literal!(255)`, `literal!(-1)`, `literal!(0.5)`, `literal!(true)`. The type
/// says no more than that it is this literal's; it has no size.
#[macro_export]
macro_rules! literal {
    ($($literal:tt)*) => {
        $crate::__private::literal_impl! { [$crate] $($literal)* }
    };
}

#[cfg(test)]
mod tests;
