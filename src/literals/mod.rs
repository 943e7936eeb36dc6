//! Literals as types, so that the compiler checks whether a dtype has their value: [`FitsLiteral`] and
//! [`literal!`](crate::literal).
//!
//! The type of a literal encodes its value, which messages print, and its level, which decides. The macro crate sorts
//! the bounds of all dtypes; a literal's level is the number of bounds that it exceeds. Each dtype has one verdict for
//! each level, so the compiler compares small numbers instead of values. `Scalar::fits` decides the same at run time; a
//! test compares the two.

mod scalar;

use core::marker::PhantomData;

pub use scalar::{Scalar, ScalarOf, ScalarValues};

use crate::dtype::*;

/// Implemented by the dtypes that have the value of a literal; [`literal!`](crate::literal) gives its type `L`.
///
/// [`tensor!`](crate::tensor!) requires it, so a literal that does not fit does not compile. An integer fits an integer
/// dtype if it is within its range; in a float dtype it may round, but not overflow. A float fits a float dtype if it
/// does not overflow, and no integer dtype. `true`, `false`, `0` and `1` fit every dtype; nothing else fits `Bool`. A
/// complex dtype has the literals of its parts, and complex ones such as `2.0 + 1.5i`; `Weak<D>` has those of `D`.
///
/// Generic code states a bound for the literals it uses. The macros require no bound for `0`, `1`, `true` and `false`.
/// Of the literals in one `tensor!` they require a bound only for the largest integer, the most negative integer and
/// the largest float.
///
/// ```
/// use supremum::{F16, FitsLiteral, StaticDType, Tensor, U8, literal, tensor};
///
/// fn extremes<D: StaticDType + FitsLiteral<literal!(255)>>() -> Tensor<D> {
///     tensor![0, 128, 255]
/// }
/// assert_eq!(extremes::<U8>().to_vec(), [0, 128, 255]);
///
/// /// A named bound for the literals of signed weights.
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
// The dtype is `Self` here; in the trait below the literal is. With the bound `literal!(2): LandsIn<D>` in scope, rustc
// would infer `D` for any dtype that is not inferred yet; it makes no such guess for `Self`. The impls are on the trait
// below, for any literal, so that messages list no other impls.
pub trait FitsLiteral<L>: Sized {
    /// The proof that macros require. It is a constant, because for a call rustc would point at the function as well.
    #[doc(hidden)]
    const JUDGED: Judged<Self> = Judged::EVERYWHERE;
}

impl<L: LandsIn<D>, D> FitsLiteral<L> for D {}

/// [`FitsLiteral`] with the literal as `Self`.
#[diagnostic::on_unimplemented(
    message = "not every dtype `{D}` has this literal",
    label = "the bounds on `{D}` do not say that it has",
    note = "a dtype is a marker such as `F32`, not the type of its elements, `f32`; generic code states a bound (not the one that `help` proposes), with the literal in place of the dots: `{D}: supremum::FitsLiteral<supremum::literal!(..)>`"
)]
pub trait LandsIn<D> {}

/// A range that every literal fits, so that the range is checked only when the literal converts:
/// [`Rules::LiteralRange`](crate::Rules::LiteralRange) of [`AllowUnsafe`](crate::AllowUnsafe).
#[derive(Clone, Copy, Debug)]
pub struct Unbounded;

#[diagnostic::do_not_recommend]
impl<L> LandsIn<Unbounded> for L {}

/// The proof that a literal fits `D`.
#[derive(Clone, Copy, Debug)]
pub struct Judged<D>(PhantomData<D>);

impl<D> Judged<D> {
    /// The proof for a literal that every dtype has: `0`, `1`, `true` or `false`.
    pub const EVERYWHERE: Self = Self(PhantomData);
}

impl<L: LandsIn<D>, D> LandsIn<Weak<D>> for L {}

/// An integer literal. Its level is its position among the bounds of all dtypes.
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

/// A complex literal such as `2.0 + 1.5i`, with the level of its larger part.
#[derive(Clone, Copy, Debug)]
pub struct ComplexLiteral<const LEVEL: i8>;

/// The value of a [`ComplexLiteral`].
pub const fn complex_scalar(re: f64, im: f64) -> Scalar {
    Scalar::Complex(c128::new(re, im))
}

/// Implemented by complex literals for the complex dtypes. With the dtype as `Self`, as in `FitsLiteral`, rustc would not show this
/// message, because it reports the outermost bound on a type.
#[diagnostic::on_unimplemented(
    message = "the literal is complex but `{D}` holds real numbers",
    label = "`{D}` holds real numbers",
    note = "choose a complex dtype; beside a tensor, convert the tensor first, e.g. `.cast::<C64>()`"
)]
pub trait IsComplexIn<D> {}
#[diagnostic::do_not_recommend]
impl<const LEVEL: i8> IsComplexIn<C64> for ComplexLiteral<LEVEL> {}
#[diagnostic::do_not_recommend]
impl<const LEVEL: i8> IsComplexIn<C128> for ComplexLiteral<LEVEL> {}

/// `true` or `false`.
#[derive(Clone, Copy, Debug)]
pub struct BoolLiteral<const VALUE: bool>;

/// The verdict: the dtype has the literal.
#[derive(Clone, Copy, Debug)]
pub struct Fits;
/// The verdict: an integer is out of the range of an integer dtype.
#[derive(Clone, Copy, Debug)]
pub struct BeyondRange;
/// The verdict: a negative integer does not fit an unsigned dtype.
#[derive(Clone, Copy, Debug)]
pub struct Negative;
/// The verdict: a number other than 0 and 1 does not fit `Bool`.
#[derive(Clone, Copy, Debug)]
pub struct NoTruthValue;
/// The verdict: a float does not fit an integer dtype.
#[derive(Clone, Copy, Debug)]
pub struct IsFloat;
/// The verdict: a number overflows in a float dtype.
#[derive(Clone, Copy, Debug)]
pub struct Overflows;

/// Integers of one level.
#[derive(Clone, Copy, Debug)]
pub struct Ints<const LEVEL: i8>;
/// Floats of one level.
#[derive(Clone, Copy, Debug)]
pub struct Floats<const LEVEL: i8>;

/// The types of literals. A bound on a literal is a bound on [`Self::Itself`]: so rustc only reports that another type is not the type of a
/// literal, and does not list the impls of [`LiteralOf`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a literal",
    label = "not the type of a literal",
    note = "write the literal in `supremum::literal!(..)`"
)]
pub trait IsLiteral {
    /// The type.
    type Itself;
}

macro_rules! are_literals {
    ($($literal:ident <$(const $number:ident: $type:ty),+>)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$(const $number: $type),+> IsLiteral for $literal<$($number),+> {
            type Itself = Self;
        }
    )*};
}

are_literals! {
    BoolLiteral<const VALUE: bool>
    IntLiteral<const VALUE: i128, const LEVEL: i8>
    DecimalLiteral<const WHOLE: i128, const FRACTION: i128, const LEVEL: i8>
    ScientificLiteral<const MANTISSA: i128, const EXPONENT: i128, const LEVEL: i8>
    FloatLiteral<const WHOLE: i128, const FRACTION: i128, const EXPONENT: i128, const LEVEL: i8>
    ComplexLiteral<const LEVEL: i8>
}

/// A pair of a literal and a dtype. Each reason why a literal may not fit is a bound of its own, so that the bound that
/// fails reports its own message.
pub trait LiteralOf<D> {}

macro_rules! reasons {
    ($($verdict:ident: $trait:ident [$($number:ident $type:ident),+] $message:literal, $label:literal, $note:literal;)*) => {$(
        #[doc = concat!("Holds for every verdict but [`", stringify!($verdict), "`].")]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $trait<D, $(const $number: $type),+> {}
        reasons! { @impls $verdict: $trait [$($number $type),+] }
    )*};
    (@impls BeyondRange: $($trait:tt)*) => { reasons! { @but [Fits Negative NoTruthValue Overflows] $($trait)* } };
    (@impls Negative: $($trait:tt)*) => { reasons! { @but [Fits BeyondRange NoTruthValue Overflows] $($trait)* } };
    (@impls Overflows: $($trait:tt)*) => { reasons! { @but [Fits BeyondRange Negative IsFloat NoTruthValue] $($trait)* } };
    (@impls IsFloat: $($trait:tt)*) => { reasons! { @but [Fits Overflows NoTruthValue] $($trait)* } };
    (@impls NoTruthValue: $($trait:tt)*) => { reasons! { @but [Fits BeyondRange Negative Overflows IsFloat] $($trait)* } };
    (@but [] $($trait:tt)*) => {};
    (@but [$verdict:ident $($more:ident)*] $trait:ident [$($number:ident $type:ident),+]) => {
        #[diagnostic::do_not_recommend]
        impl<D, $(const $number: $type),+> $trait<D, $($number),+> for $verdict {}
        reasons! { @but [$($more)*] $trait [$($number $type),+] }
    };
}

reasons! {
    Overflows: ComplexIsFinite [LEVEL i8]
        "a part of the complex literal is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range; beside a tensor, convert the tensor first, e.g. `.cast::<C128>()`";

    BeyondRange: InRange [VALUE i128]
        "the literal `{VALUE}` does not fit in `{D}`",
        "out of range for `{D}`",
        "a literal takes the dtype of its tensor: choose a wider one; beside a tensor, convert the tensor first, e.g. `.cast::<I64>()`";
    Negative: HasSign [VALUE i128]
        "the literal `{VALUE}` is negative but `{D}` is unsigned",
        "`{D}` has no negative numbers",
        "a literal takes the dtype of its tensor: choose a signed one; beside a tensor, convert the tensor first, e.g. `.cast::<I64>()`";
    NoTruthValue: IsTruth [VALUE i128]
        "the literal `{VALUE}` is an integer but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose an integer dtype";
    Overflows: IntIsFinite [VALUE i128]
        "the literal `{VALUE}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range; beside a tensor, convert the tensor first, e.g. `.cast::<F64>()`";

    IsFloat: DecimalIsInteger [WHOLE i128, FRACTION i128]
        "the literal `{WHOLE}.{FRACTION}` is a float but `{D}` holds integers",
        "`{D}` holds integers",
        "write an integer, or choose a float dtype; beside a tensor, convert the tensor first, e.g. `.cast::<F32>()`";
    NoTruthValue: DecimalIsTruth [WHOLE i128, FRACTION i128]
        "the literal `{WHOLE}.{FRACTION}` is a float but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose a float dtype";
    Overflows: DecimalIsFinite [WHOLE i128, FRACTION i128]
        "the literal `{WHOLE}.{FRACTION}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range; beside a tensor, convert the tensor first, e.g. `.cast::<F64>()`";

    IsFloat: ScientificIsInteger [MANTISSA i128, EXPONENT i128]
        "the literal `{MANTISSA}e{EXPONENT}` is a float but `{D}` holds integers",
        "`{D}` holds integers",
        "write an integer, or choose a float dtype; beside a tensor, convert the tensor first, e.g. `.cast::<F32>()`";
    NoTruthValue: ScientificIsTruth [MANTISSA i128, EXPONENT i128]
        "the literal `{MANTISSA}e{EXPONENT}` is a float but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose a float dtype";
    Overflows: ScientificIsFinite [MANTISSA i128, EXPONENT i128]
        "the literal `{MANTISSA}e{EXPONENT}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range; beside a tensor, convert the tensor first, e.g. `.cast::<F64>()`";

    IsFloat: FloatIsInteger [WHOLE i128, FRACTION i128, EXPONENT i128]
        "the literal `{WHOLE}.{FRACTION}e{EXPONENT}` is a float but `{D}` holds integers",
        "`{D}` holds integers",
        "write an integer, or choose a float dtype; beside a tensor, convert the tensor first, e.g. `.cast::<F32>()`";
    NoTruthValue: FloatIsTruth [WHOLE i128, FRACTION i128, EXPONENT i128]
        "the literal `{WHOLE}.{FRACTION}e{EXPONENT}` is a float but `{D}` holds truth values",
        "`{D}` holds truth values",
        "write `true` or `false`, or choose a float dtype";
    Overflows: FloatIsFinite [WHOLE i128, FRACTION i128, EXPONENT i128]
        "the literal `{WHOLE}.{FRACTION}e{EXPONENT}` is beyond the range of `{D}`",
        "overflows in `{D}`",
        "a literal takes the dtype of its tensor: choose one of more range; beside a tensor, convert the tensor first, e.g. `.cast::<F64>()`";
}

/// Defines the verdict of each dtype on the literals of each level.
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
        /// The verdict of each dtype on the literals of this level.
        pub trait Level {
            $(
                #[doc = concat!("The verdict of `", stringify!($dtype), "`.")]
                type $dtype;
            )*
        }

        $(
            impl<L: IsLiteral<Itself: LiteralOf<$dtype>>> LandsIn<$dtype> for L {}

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

            impl<const LEVEL: i8> LiteralOf<$dtype> for ComplexLiteral<LEVEL>
            where
                Self: IsComplexIn<$dtype>,
                Floats<LEVEL>: Level,
                <Floats<LEVEL> as Level>::$dtype: ComplexIsFinite<$dtype, LEVEL>,
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
/// It accepts the literals whose range [`tensor!`](crate::tensor!) checks: `literal!(255)`, `literal!(-1)`,
/// `literal!(0.5)`, `literal!(true)`. The type stands for the literal only and has size zero.
#[macro_export]
macro_rules! literal {
    ($($literal:tt)*) => {
        $crate::literal_impl! { [$crate] $($literal)* }
    };
}

#[cfg(test)]
mod tests;
