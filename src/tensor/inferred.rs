//! Facts that [`tensor!`](crate::tensor!) infers from the code around it, as traits; their messages propose a type where it cannot.

use core::marker::PhantomData;

use crate::dtype::{StaticDType, StrongDType};
use crate::rank::Rank;

/// Implemented by every dtype. It is the dtype of a [`tensor!`](crate::tensor) whose dtype and rank the surrounding code determines.
#[diagnostic::on_unimplemented(
    message = "the type of this tensor is not known",
    label = "nothing says which dtype and rank it has",
    note = "write the dtype before the elements, e.g. `tensor![F32; ..]`, or if the tensor is all of a variable's value, its type, e.g. `let x: Tensor<F32, Rank1> = tensor![..];`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait InferredTensor: Sized {
    /// The proof. It is a constant, because for a call rustc would point at the function as well.
    #[doc(hidden)]
    const INFERRED: PhantomData<Self> = PhantomData;
}

#[diagnostic::do_not_recommend]
impl<S: StrongDType> InferredTensor for S {}

/// The proof that dtype and rank of a tensor are inferred.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Inferred<D, N>(PhantomData<(D, N)>);

impl<D, N> Inferred<D, N> {
    /// The proof where both are written.
    pub const STATED: Self = Self(PhantomData);

    /// Has the compiler ask for [`InferredTensor`]. It is never called.
    ///
    /// The last argument is of type `!`, which converts to any type. If nothing else determines `S`, the compiler takes
    /// `!` for it (before the edition of 2024 `()`), and [`InferredTensor`] refuses that with its message. Without it the
    /// compiler would say of each bound on the dtype or the rank, in its own words, that it cannot infer a type.
    pub fn known<S>(_: PhantomData<S>, _: S) -> Self
    where
        D: StaticDType,
        N: Rank<Known<D::Strong> = S>,
    {
        Self::STATED
    }
}

/// Never returns, so the call has any type.
#[doc(hidden)]
pub const fn never() -> ! {
    panic!("calls stand behind `if false`")
}

/// Implemented by every type for itself: the element of a dtype is what [`tensor!`](crate::tensor) finds.
#[diagnostic::on_unimplemented(
    message = "this tensor has elements of type `{Self}`, found `{Found}`",
    label = "not of type `{Self}`",
    note = "convert a number first, e.g. `x as f32`, `f16::from_f32(x)`, `bf16::from_f32(x)`, `c64::new(x, y)`; write a float with a point, `1.0`; or make a tensor of its own dtype and convert that by `.cast::<..>()`; generic code takes an `x: D::Element`",
    note = "the elements of a `Vec` become a tensor of their own dtype by `Tensor::<F64, Rank1>::from_vec(elements, [n])?`, those of a `Vec` of rows by `Tensor::<F64, Rank2>::from_vec(rows.concat(), [n, m])?`; a `Vec` of tensors becomes a tensor by `stack(&tensors, 0)`, a range by `Tensor::<I64, Rank1>::arange(0, 10, 1)`"
)]
// The dtype's element is `Self`, so that it determines the type of a value that is not inferred yet.
#[cfg_attr(doc, doc(hidden))]
pub trait IsElement<Found>: Sized {
    /// `T`. A further bound follows on it, so that there is one message for both.
    #[doc(hidden)]
    type Then<T>;
    /// Returns the element. It is a constant, because for a call rustc would point at the function as well.
    #[doc(hidden)]
    const FROM: fn(Found) -> Self;
    /// Returns the elements.
    #[doc(hidden)]
    const FROM_VEC: fn(Vec<Found>) -> Vec<Self>;
}

#[diagnostic::do_not_recommend]
impl<E> IsElement<E> for E {
    type Then<T> = T;
    const FROM: fn(E) -> E = |found| found;
    const FROM_VEC: fn(Vec<E>) -> Vec<E> = |found| found;
}
