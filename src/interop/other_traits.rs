//! Names that other libraries give to bounds on dtypes. All are deprecated, and the warning gives Supremum's name. A
//! bound by one of the traits does not compile. Without them rustc says that there is no such trait.
//!
//! Only the prelude module has them, not the macro `prelude!`: a trait of the same name that a program imports takes
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
    Num: "the bound is `D: Floating`, or `D: Arithmetic` if there are no float literals, functions, divisions or powers" "the bound on dtypes to compute with is `D: Floating` or `D: Arithmetic`";
    Numeric: "the bound is `D: Floating`, or `D: Arithmetic` if there are no float literals, functions, divisions or powers" "the bound on dtypes to compute with is `D: Floating` or `D: Arithmetic`";
}
