//! Dtypes: markers for the type system, tags for run time, elements in memory.
//!
//! Everything in this module derives from the one list in `rules-syntax/src/dtypes.rs`.

pub mod cast;
pub(crate) mod compute;
mod element;
pub(crate) mod float8;
pub(crate) mod format;
pub(crate) mod implied_bound;
mod kind;
pub(crate) mod odd;
mod widen;

use core::fmt;
use core::marker::PhantomData;

use typenum::Unsigned;

pub use element::{Element, bf16, c64, c128, f16};
pub use kind::Kind;
pub(crate) use sealed::{Itself, Saved};
pub use widen::{
    AccumulatesIn, Conversion, LosesPrecision, LosesRange, Loss, Lossless, Select, WidensTo,
};

macro_rules! float8_elements {
    ($($(#[$doc:meta])* $marker:ident $element:ident { $($format:tt)* })*) => {
        pub use float8::{$($element),*};
    };
}

supremum_macros::with_float8!(float8_elements);

/// A dtype as a type: a marker such as [`F32`], or [`Weak`] of one.
///
/// ```
/// use supremum::{DType, StaticDType, F32, Weak};
/// assert_eq!(F32::DTYPE, DType::F32);
/// assert!(<Weak<F32>>::WEAK && !F32::WEAK);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype",
    label = "neither the marker of a dtype nor a parameter that is stated to be one",
    note = "the dtype of elements `f32` is `F32`, that of `bool` is `Bool`, and so on; `usize` and `isize` have none, use `U64` and `I64`",
    note = "generic code states a bound (more than `help` proposes): `D: Floating`, or `D: Arithmetic` for `+`, `-`, `*`, `equal`, `select` and `concat` alone; of code that does not compute, `D: StaticDType`"
)]
pub trait StaticDType:
    Itself<Itself = Self> + Saved + Copy + Default + fmt::Debug + Send + Sync + 'static
{
    /// The type of an element in memory.
    type Element: Element;
    /// The dtype without weakness: itself for a marker, `D` for `Weak<D>`.
    type Strong: StrongDType<Element = Self::Element>;
    /// The run-time tag.
    const DTYPE: DType;
    /// `true` if literals alone decided this dtype, so that it yields to a strong one.
    const WEAK: bool;
    /// `D`, which stays weak only if this dtype is weak too.
    type Weaken<D: StaticDType>: StaticDType;
    /// The operand type at rank zero, under rules that look at rank: [`ZeroDim`], or this dtype itself if it is weak.
    type ZeroDim: StaticDType;
    /// The operand type at an unknown rank, under such rules: [`Unranked`], or this dtype itself if it is weak.
    type Unranked: StaticDType;
}

/// A marker: a dtype that is not weak, with its widths as `typenum` numbers.
///
/// Every finite value (each part of a complex one) is an integer of at most `Digits` bits times a
/// power of two, has a magnitude below two to the power of `Top` (at most that for signed
/// integers) and is a multiple of two to the power of minus `Bottom`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a strong dtype",
    label = "neither the marker of a dtype nor a parameter that is stated to be one",
    note = "the dtype of elements `f32` is `F32`, that of `bool` is `Bool`, and so on; files hold no weak dtypes, such as `Weak<F64>`",
    note = "generic code states a bound, `D: supremum::StrongDType`"
)]
pub trait StrongDType: StaticDType<Strong = Self> {
    /// Significant bits: the value bits of an integer, the precision of a float.
    type Digits: Unsigned;
    /// The exponent that bounds magnitudes from above.
    type Top: Unsigned;
    /// The negated exponent of the smallest subnormal; zero for integers.
    type Bottom: Unsigned;
    /// `true` if there are negative values.
    type Signed: Select;
    /// `true` if there is an imaginary part.
    type Complex: Select;
    /// `true` if zero has a sign.
    type NegativeZero: Select;
    /// [`AsBoolean`], [`AsInteger`] or [`AsInexact`].
    type Group;
    /// The position in [`DType::ALL`], by which types of dtypes are compared.
    type Index: Unsigned;
}

/// The dtype of a literal, or of a result that only literals decided. It has the elements of `D` and yields to strong dtypes.
///
/// Literals are weak. Under JAX's rules weakness passes through operations: booleans plus an integer
/// literal give `Weak<I64>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Weak<D>(PhantomData<D>);

#[diagnostic::do_not_recommend]
impl<D: StrongDType> StaticDType for Weak<D> {
    type Element = D::Element;
    type Strong = D;
    const DTYPE: DType = D::DTYPE;
    const WEAK: bool = true;
    type Weaken<Other: StaticDType> = Other;
    type ZeroDim = Self;
    type Unranked = Self;
}

impl<D: StrongDType> Itself for Weak<D> {
    type Itself = Self;
}

macro_rules! ranked_operands {
    ($($(#[doc = $doc:literal])+ $name:ident;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name<D>(PhantomData<D>);

        #[diagnostic::do_not_recommend]
        impl<D: StrongDType> StaticDType for $name<D> {
            type Element = D::Element;
            type Strong = D;
            const DTYPE: DType = D::DTYPE;
            const WEAK: bool = false;
            type Weaken<Other: StaticDType> = Other::Strong;
            type ZeroDim = ZeroDim<D>;
            type Unranked = Unranked<D>;
        }

        impl<D: StrongDType> Itself for $name<D> {
            type Itself = Self;
        }
    )*};
}

ranked_operands! {
    /// An operand of rank zero, under rules that look at rank, such as [`Torch`](crate::Torch).
    ///
    /// Promotions and the compiler's messages have it; the dtype of the tensor is `D`.
    ZeroDim;
    /// An operand of [`AnyRank`](crate::AnyRank), under rules that look at rank. It has the promotions whose result is the
/// same at every rank.
    Unranked;
}

/// A dtype whose elements are not complex. Functions such as [`erf`](crate::Tensor::erf) require it.
///
/// ```compile_fail
/// use supremum::{C64, Tensor, c64};
/// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1]).expect("a vector");
/// let _ = z.erf();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype of real numbers",
    label = "not the marker of a real dtype",
    note = "of complex numbers take a part first: `.real()`, `.imag()` or `.abs()`; the dtype of elements `f32` is `F32`; generic code states it as a bound: `D: supremum::RealDType`"
)]
pub trait RealDType: StaticDType {}

#[diagnostic::do_not_recommend]
impl<D: StrongDType + RealDType> RealDType for Weak<D> {}

macro_rules! real {
    (Complex $marker:ident) => {};
    ($kind:ident $marker:ident) => {
        #[diagnostic::do_not_recommend]
        impl RealDType for $marker {}
    };
}

/// A dtype whose elements have Rust's `Eq` and `Hash`, as tensors of it do: integers and booleans. NaN equals nothing, so floats have neither.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` has no `Eq` and no `Hash`, because NaN equals nothing",
    label = "neither compares as a key nor is hashed",
    note = "`PartialEq` compares tensors of floats: `#[derive(Clone, Debug, PartialEq)]`; a key is a tensor of integers, or the bits of floats, `t.iter().map(f32::to_bits).collect::<Vec<_>>()`; generic code states a bound: `D: supremum::EqDType`"
)]
pub trait EqDType: StaticDType<Element: Eq + core::hash::Hash> {}

#[diagnostic::do_not_recommend]
impl<D: StrongDType + EqDType> EqDType for Weak<D> {}

macro_rules! eq {
    (Float $marker:ident) => {};
    (Complex $marker:ident) => {};
    ($kind:ident $marker:ident) => {
        #[diagnostic::do_not_recommend]
        impl EqDType for $marker {}
    };
}

/// An integer dtype, as indices have ([`Tensor::take`](crate::Tensor::take)).
///
/// ```compile_fail
/// use supremum::{F32, Rank1, Tensor, tensor};
/// let x: Tensor<F32, Rank1> = tensor![1.5, -2.0];
/// let _ = x.take(&x, 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer dtype, which indices and random integers have",
    label = "not an integer dtype",
    note = "rows under a mask are `.compress(&mask, 0)`; indices of other dtypes are converted by `.cast::<I64>()`; random integers become floats by `Tensor::<I64, Rank1>::integers(..).cast::<F32>()`; generic code states a bound: `I: supremum::IntegerDType`"
)]
pub trait IntegerDType: StaticDType {}

#[diagnostic::do_not_recommend]
impl<D: StrongDType + IntegerDType> IntegerDType for Weak<D> {}

/// The dtype of a condition or mask: strong or weak [`Bool`].
#[diagnostic::on_unimplemented(
    message = "a condition has dtype `Bool`, this one has `{Self}`",
    label = "chooses by elements of `{Self}`",
    note = "the condition comes first, as in `select(&mask, &x, 0)`; numbers are compared: in `fuse!` as in `if x != 0 {{ .. }} else {{ .. }}`, elsewhere by a method, as in `select(&x.not_equal(0), ..)`"
)]
pub trait Condition: StaticDType {}

#[diagnostic::do_not_recommend]
impl<D: StaticDType<Strong = Bool>> Condition for D {}

/// A float dtype, in which random numbers from a range are made.
///
/// ```compile_fail
/// use supremum::{I32, Tensor, rand};
/// fn noise(rng: &mut impl rand::Rng) -> Tensor<I32> {
///     Tensor::normal([2, 3], 0.0, 1.0, rng)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float dtype",
    label = "not a float dtype",
    note = "make them in a float dtype, and convert them by `.cast::<{Self}>()`; random integers are `Tensor::integers(shape, 0..10, &mut rng)`; generic code states it as a bound: `D: supremum::FloatDType`"
)]
pub trait FloatDType: RealDType {}

#[diagnostic::do_not_recommend]
impl<D: StrongDType + FloatDType> FloatDType for Weak<D> {}

macro_rules! float {
    (Float $marker:ident) => {
        #[diagnostic::do_not_recommend]
        impl FloatDType for $marker {}
    };
    ($kind:ident $marker:ident) => {};
}

macro_rules! integer {
    (Unsigned $marker:ident) => {
        #[diagnostic::do_not_recommend]
        impl IntegerDType for $marker {}
    };
    (Signed $marker:ident) => {
        #[diagnostic::do_not_recommend]
        impl IntegerDType for $marker {}
    };
    ($kind:ident $marker:ident) => {};
}

/// No dtype: a right operand that every row of every rule set has besides those of its table.
///
/// Without it a row with a single cell (as strict rules have) would make inference pin the right
/// operand, and a wrong one would be a bare type mismatch instead of our message.
#[doc(hidden)]
#[derive(Debug)]
pub enum Unnamed {}

mod sealed {
    /// A dtype as an associated type. If a type is not a dtype, the compiler reports that and nothing about `Itself`.
    pub trait Itself {
        type Itself;
    }

    pub trait Sealed {}

    /// `Serialize`, with the feature `serde`: generic code saves a struct that has a dtype as a parameter by the bound on the dtype
    /// alone. (`Deserialize` would not do as a supertrait: beside the bound `D: Deserialize<'de>` that `serde` derives, rustc would not
    /// know which of the two to take, E0283.)
    #[cfg(feature = "serde")]
    pub trait Saved: serde::Serialize {}
    #[cfg(feature = "serde")]
    impl<D: serde::Serialize> Saved for D {}
    #[cfg(not(feature = "serde"))]
    pub trait Saved {}
    #[cfg(not(feature = "serde"))]
    impl<D> Saved for D {}
}

macro_rules! signed {
    (Bool) => {
        typenum::B0
    };
    (Unsigned) => {
        typenum::B0
    };
    ($kind:ident) => {
        typenum::B1
    };
}

/// The group of [`Kind::Bool`], as a type.
#[derive(Clone, Copy, Debug)]
pub struct AsBoolean;
/// The group of the integer kinds, as a type.
#[derive(Clone, Copy, Debug)]
pub struct AsInteger;
/// The group of the float and complex kinds, as a type.
#[derive(Clone, Copy, Debug)]
pub struct AsInexact;

macro_rules! group {
    (Bool) => {
        AsBoolean
    };
    (Unsigned) => {
        AsInteger
    };
    (Signed) => {
        AsInteger
    };
    ($kind:ident) => {
        AsInexact
    };
}

macro_rules! complex {
    (Complex) => {
        typenum::B1
    };
    ($kind:ident) => {
        typenum::B0
    };
}

/// Types that a [`DType`] can be compared with, besides `DType`: the markers, such as `F32`. The trait exists for the compiler's message.
#[diagnostic::on_unimplemented(
    message = "a `DType` does not compare with a `{Self}`",
    label = "neither a `DType` nor the marker of a dtype",
    note = "write `DType::F32` or the marker `F32`; the name of a dtype is `d.name()`, as in `d.name() == \"f32\"`, and a name is read by `name.parse::<DType>()?`"
)]
#[doc(hidden)]
pub trait ComparesWithDType {
    #[doc(hidden)]
    const DTYPE: DType;
}

impl<M: ComparesWithDType> PartialEq<M> for DType {
    fn eq(&self, _: &M) -> bool {
        *self == M::DTYPE
    }
}

macro_rules! define_dtypes {
    ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $digits:ty, $top:ty, $bottom:ty, $position:ty, $negative_zero:ty;)*) => {
        $(
            #[doc = concat!("The dtype `", $name, "`; its elements are `", stringify!($element), "`.")]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct $marker; // `!x` negates booleans; of numbers it is `x.equal(0)`

            #[diagnostic::do_not_recommend]
            impl StaticDType for $marker {
                type Element = $element;
                type Strong = Self;
                const DTYPE: DType = DType::$marker;
                const WEAK: bool = false;
                type Weaken<D: StaticDType> = D::Strong;
                type ZeroDim = ZeroDim<Self>;
                type Unranked = Unranked<Self>;
            }
            #[diagnostic::do_not_recommend]
            impl StrongDType for $marker {
                type Digits = $digits;
                type Top = $top;
                type Bottom = $bottom;
                type Signed = signed!($kind);
                type Complex = complex!($kind);
                type NegativeZero = $negative_zero;
                type Group = group!($kind);
                type Index = $position;
            }
            real!($kind $marker);
            integer!($kind $marker);
            eq!($kind $marker);
            float!($kind $marker);
            impl Itself for $marker {
                type Itself = Self;
            }
            #[diagnostic::do_not_recommend]
            impl ComparesWithDType for $marker {
                const DTYPE: DType = DType::$marker;
            }
            #[diagnostic::do_not_recommend]
            impl PartialEq<DType> for $marker {
                fn eq(&self, other: &DType) -> bool {
                    *other == DType::$marker
                }
            }
            impl sealed::Sealed for $element {}
            #[diagnostic::do_not_recommend]
            impl Element for $element {
                type Marker = $marker;
            }
            static_assertions::assert_eq_size!($marker, Weak<$marker>, ());
            static_assertions::assert_eq_size!($element, [u8; $size]);
        )*

        /// A dtype at run time.
        ///
        /// Prints and parses by name:
        ///
        /// ```
        /// use supremum::DType;
        /// assert_eq!(DType::BF16.to_string(), "bf16");
        /// assert_eq!("f8e4m3fn".parse(), Ok(DType::F8E4M3FN));
        /// assert!("float".parse::<DType>().is_err());
        /// ```
        ///
        /// Compares with the marker types too:
        ///
        /// ```
        /// use supremum::{DType, F32, F64};
        /// assert!(DType::F32 == F32 && F64 != DType::F32);
        /// ```
        // Hidden except from rustdoc: rustc shortens a type's path in messages (`I64`, not
        // `supremum::I64`) only if no visible enum has a variant of the same name.
        #[cfg_attr(not(doc), doc(hidden))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum DType {
            $(
                #[doc = concat!("`", $name, "`, the tag of [`struct@", stringify!($marker), "`].")]
                $marker = $index,
            )*
        }

        impl DType {
            /// Every dtype, in the order of the tags.
            pub const ALL: &'static [Self] = &[$(Self::$marker),*];

            /// The name, as published tables spell it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$marker => $name),* }
            }

            /// The name of the marker type.
            pub const fn marker_name(self) -> &'static str {
                match self { $(Self::$marker => stringify!($marker)),* }
            }

            /// The kind of number.
            #[inline]
            pub const fn kind(self) -> Kind {
                match self { $(Self::$marker => Kind::$kind),* }
            }

            /// The position in [`Self::ALL`].
            #[inline]
            #[allow(clippy::as_conversions, reason = "a fieldless enum to its discriminant")]
            pub(crate) const fn index(self) -> usize {
                self as usize
            }

            /// The size of an element in bytes.
            #[inline]
            pub const fn size(self) -> usize {
                match self { $(Self::$marker => $size),* }
            }
        }

        define_dtypes! { @dispatch ($) $($marker $element $kind)* }
    };
    (@dispatch ($d:tt) $($marker:ident $element:ident $kind:ident)*) => {
        /// Runs `$body` with `$D` the marker type of a run-time dtype.
        macro_rules! dispatch_dtype {
            ($d dtype:expr, $d D:ident => $d body:expr) => {
                match $d dtype {
                    $($crate::dtype::DType::$marker => { type $d D = $crate::dtype::$marker; $d body })*
                }
            };
        }
        /// Calls a macro once with every marker.
        #[allow(unused_macros, reason = "used by tests")]
        macro_rules! for_each_marker {
            ($d callback:ident $d($d more:tt)*) => { $d callback! { $d($d more)* $($marker)* } };
        }
        #[allow(unused_imports, reason = "used by tests")]
        pub(crate) use {dispatch_dtype, for_each_marker};
    };
}

supremum_macros::with_dtypes!(define_dtypes, ::typenum);

impl DType {
    /// The least and the greatest value of an integer dtype.
    #[cfg(any(feature = "rand", feature = "stablehlo"))]
    pub(crate) fn integer_bounds(self) -> (i128, i128) {
        let bits = self.size() * 8;
        match self.kind() {
            Kind::Signed => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
            _ => (0, (1 << bits) - 1),
        }
    }

    /// The dtype of the bits of elements: the unsigned integer of their size. Elements of 16 bytes keep their dtype, because no integer is
    /// that large.
    pub(crate) const fn bits_dtype(self) -> Self {
        match self.size() {
            1 => Self::U8,
            2 => Self::U16,
            4 => Self::U32,
            8 => Self::U64,
            _ => self,
        }
    }

    /// `true` if elements are floats of 8 or 16 bits, which compute as `f32`.
    #[inline]
    #[allow(
        clippy::as_conversions,
        reason = "a fieldless enum to its discriminant"
    )]
    pub(crate) const fn is_small_float(self) -> bool {
        // The first and the last, between which there is no other dtype: a comparison is faster than a table.
        const BOUNDS: [u8; 2] = {
            let mut bounds = [u8::MAX, 0];
            let mut count = 0;
            let mut at = 0;
            while at < DType::ALL.len() {
                let dtype = DType::ALL[at];
                if matches!(dtype.kind(), Kind::Float) && dtype.size() <= 2 {
                    bounds = [
                        if count == 0 { dtype as u8 } else { bounds[0] },
                        dtype as u8,
                    ];
                    count += 1;
                }
                at += 1;
            }
            assert!(
                bounds[1] - bounds[0] + 1 == count,
                "small floats stand side by side in the list"
            );
            bounds
        };
        BOUNDS[0] <= self as u8 && self as u8 <= BOUNDS[1]
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the dtype in which elements are computed: that of their compute type, `f32` for small floats.
#[inline]
pub(crate) const fn compute_dtype(dtype: DType) -> DType {
    if dtype.is_small_float() {
        DType::F32
    } else {
        dtype
    }
}
