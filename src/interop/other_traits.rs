//! Names that other libraries give to bounds on dtypes, and functions that these bounds have. The traits of the bounds are deprecated, and
//! the warning gives Supremum's name. A bound by one of them does not compile. Without them rustc says that there is no such trait.
//!
//! Only the prelude module has these traits, not the macro `prelude!`: a trait of the same name that a program imports takes
//! precedence over one of a glob import.

use crate::dtype::StaticDType;

macro_rules! other_traits {
    ($($name:ident: $deprecated:literal $message:literal;)*) => {$(
        #[doc(hidden)]
        #[deprecated(note = $deprecated)]
        #[diagnostic::on_unimplemented(message = $message, label = "a name of other libraries")]
        pub trait $name: StaticDType {}
    )*};
}

other_traits! {
    Dtype: "the bound is `D: StaticDType`; to compute it is `D: Floating`, and a struct needs none" "the bound on dtypes is `D: StaticDType`, and on those to compute with `D: Floating`";
    DataType: "the bound is `D: StaticDType`; to compute it is `D: Floating`, and a struct needs none" "the bound on dtypes is `D: StaticDType`, and on those to compute with `D: Floating`";
    WithDType: "the bound is `D: StaticDType`; to compute it is `D: Floating`, and a struct needs none" "the bound on dtypes is `D: StaticDType`, and on those to compute with `D: Floating`";
    Float: "the bound is `D: Floating`" "the bound on dtypes to compute with is `D: Floating`";
    Num: "the bound is `D: Floating`, or `D: Arithmetic` for `+`, `-`, `*`, `equal`, `select` and `concat` alone" "the bound on dtypes to compute with is `D: Floating` or `D: Arithmetic`";
    Numeric: "the bound is `D: Floating`, or `D: Arithmetic` for `+`, `-`, `*`, `equal`, `select` and `concat` alone" "the bound on dtypes to compute with is `D: Floating` or `D: Arithmetic`";
}

/// Implemented by no type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "zero and one beside a tensor are the literals `0` and `1`, whatever its dtype: `x.maximum(0)`, `x + 1`",
    label = "a name of other libraries",
    note = "tensors of them are `Tensor::<D, Rank1>::zeros([n])` and `Tensor::<D, Rank1>::ones([n])`; an element that is zero is `D::Element::default()`, and one that is 1 is `Tensor::<D, Rank0>::ones([]).item()?`"
)]
pub trait NamedNumber {}

/// The functions of the crate `num_traits` that its users call on a dtype `D`. The prelude imports the trait; without it rustc proposes a
/// bound by that crate's traits, which no dtype implements. They give an `i64`, so that its use is no second error.
// No items of `StaticDType`: generic code with a trait of its own that has a `zero` would be ambiguous (E0034). Items of bounds
// take precedence over those of imported traits. The bound is on `()`, because rustc would propose one on `D`.
#[doc(hidden)]
#[rustfmt::skip] // On one line each, because the compiler quotes them.
pub trait NumbersOfDType {
    /// Never compiles.
    fn zero() -> i64 where for<'a> (): NamedNumber { unreachable!("no type has the bound") } // the literal `0`
    /// Never compiles.
    fn one() -> i64 where for<'a> (): NamedNumber { unreachable!("no type has the bound") } // the literal `1`
}

impl<D: StaticDType> NumbersOfDType for D {}
