//! `From` between tensors, from a tensor of rank 0 to its element, and from one of rank 1 to a `Vec`.
//!
//! Rust has `From` between numbers where no value is lost, and so have tensors, with the same `.into()`. rustc proposes `.into()` where
//! a type does not match (E0308) and `From` would convert the value: the only part of that message which depends on the library.

use super::Tensor;
use crate::dtype::{StaticDType, StrongDType, Weak};
use crate::rank::{Rank, Rank0, Rank1};
use crate::rules::{Rules, SafePromote};
use crate::tensor::or_panic;

/// Another dtype than `D`, which has all values of `D`.
// Not `WidensTo`, which every dtype does to itself: the compiler has to see that `From<T> for T` remains the standard library's.
#[doc(hidden)]
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
    ($($D:ident: $($To:ident)*;)*) => {$(
        $(
            impl Wider<crate::dtype::$D> for crate::dtype::$To {}
            elements! { crate::dtype::$D => crate::dtype::$To }
        )*
        elements! { crate::dtype::$D => crate::dtype::$D }

        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
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
