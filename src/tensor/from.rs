//! `From` between tensors, from a tensor of rank 0 to its element, and from one of rank 1 to a `Vec`.
//!
//! Rust has `From` between numbers if no value is lost. Tensors have it in the same cases, with the same `.into()`. If
//! a type does not match (E0308) and a `From` would convert the value, rustc proposes `.into()`. That is the only part
//! of the message that depends on the library.
//!
//! Integers have no `From` to another dtype. With such a `From`, `let y: Tensor<I32, Rank2> = a.matmul(&b)` of two `I8`
//! would compile after the user adds the `.into()` that rustc proposes, but the products have already wrapped in `i8`.
//! A float that is widened too late has only rounded, as its own dtype promises.

use super::Tensor;
use crate::dtype::{StaticDType, StrongDType, Weak};
use crate::rank::{Rank, Rank0, Rank1};
use crate::rules::{Rules, SafePromote};
use crate::tensor::or_panic;

/// Another dtype than `D`, which has all values of `D`, if `D` is no integer.
// Not `WidensTo`, which every dtype does to itself: the compiler has to see that `From<T> for T` remains the standard library's.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`.into()` converts no tensor of `{D}` to `{Self}`",
    label = "`{D}` is an integer, or has values that `{Self}` does not have",
    note = "`.cast::<{Self}>()` converts every value, and rounds or wraps those that `{Self}` does not have; `.widen::<{Self}>()` compiles if it has them all; integer results may have wrapped by then: convert an operand, `a.widen::<{Self}>() * &b`, or choose the dtype of a product of matrices, `a.matmul_in::<{Self}>(&b)`"
)]
pub trait Wider<D>: StrongDType {}

macro_rules! elements {
    ($D:ty => $To:ty) => {
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<R: Rules> From<Tensor<$D, Rank0, R>> for <$To as StaticDType>::Element {
            #[track_caller]
            fn from(tensor: Tensor<$D, Rank0, R>) -> Self {
                or_panic(tensor.cast::<$To>().item())
            }
        }
    };
}

macro_rules! widenings {
    ($($D:ident $kind:ident: $($To:ident)*;)*) => {$(
        widenings! { @$kind $D: $($To)* }
        // Most integers have one other impl, for `Bool`. If a type has only one, rustc prints the impl below the message.
        #[diagnostic::do_not_recommend]
        impl Wider<Weak<crate::dtype::$D>> for crate::dtype::$D {}
        $(elements! { crate::dtype::$D => crate::dtype::$To })*
        elements! { crate::dtype::$D => crate::dtype::$D }

        // Without `do_not_recommend`, so that the message of `Wider` is printed.
        #[doc(hidden)]
        impl<To, N, R> From<Tensor<crate::dtype::$D, N, R>> for Tensor<To, N, R>
        where
            To: Wider<crate::dtype::$D>,
            N: Rank,
            R: Rules,
        {
            #[track_caller]
            fn from(tensor: Tensor<crate::dtype::$D, N, R>) -> Self {
                tensor.cast()
            }
        }

        /// The reverse of `From<Vec<_>>`.
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<R: Rules> From<Tensor<crate::dtype::$D, Rank1, R>> for Vec<<crate::dtype::$D as StaticDType>::Element> {
            #[track_caller]
            fn from(tensor: Tensor<crate::dtype::$D, Rank1, R>) -> Self {
                tensor.to_vec()
            }
        }
    )*};
    (@Signed $($dtypes:tt)*) => {};
    (@Unsigned $($dtypes:tt)*) => {};
    (@$kind:ident $D:ident: $($To:ident)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Wider<crate::dtype::$D> for crate::dtype::$To {}
        )*
    };
}

supremum_macros::with_widenings! { widenings }

/// A weak tensor yields to `To`, as it does beside an operand of `To`.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<W, To, N, R> From<Tensor<Weak<W>, N, R>> for Tensor<To, N, R>
where
    W: StrongDType,
    To: StrongDType + SafePromote<Weak<W>, R, Output = To>,
    N: Rank,
    R: Rules,
{
    #[track_caller]
    fn from(tensor: Tensor<Weak<W>, N, R>) -> Self {
        tensor.cast()
    }
}
