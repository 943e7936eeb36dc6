//! Names that other libraries give to bounds on dtypes. A bound by one of them does not compile, and the warning about it has the name here.
//! Without these traits rustc says that there is no such trait.
//!
//! The prelude has them as a module and not as a macro: a trait of the same name that a program imports stands before one of a glob import.

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
    Float: "the bound is `D: Floating`" "the bound on dtypes to compute with is `D: Floating`";
    Num: "the bound is `D: Floating`, or `D: Arithmetic` if there are no float literals, functions or divisions" "the bound on dtypes to compute with is `D: Floating` or `D: Arithmetic`";
    Numeric: "the bound is `D: Floating`, or `D: Arithmetic` if there are no float literals, functions or divisions" "the bound on dtypes to compute with is `D: Floating` or `D: Arithmetic`";
}
