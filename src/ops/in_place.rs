//! `a += b` and the like: the dtype and the rank of the left operand have to stay.

use crate::dtype::Unnamed;

/// Implemented by every dtype for itself.
#[diagnostic::on_unimplemented(
    message = "the result of this in-place operation is `{Self}`, and its left side holds `{D}`",
    label = "cannot store `{Self}` in `{D}`",
    note = "convert the right side, e.g. `a += b.cast::<{D}>();`; or make a new tensor in the dtype of the result, e.g. `let c = a.cast::<{Self}>() + b.cast::<{Self}>();`; beside a literal convert the result: `a = (a * 0.5).cast::<{D}>();`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait StaysIn<D> {}

#[diagnostic::do_not_recommend]
impl<D> StaysIn<D> for D {}

/// [`StaysIn`] for `/=`, where the dtype of a quotient is not that of the integers it divides.
#[diagnostic::on_unimplemented(
    message = "the quotient is `{Self}`, and the left side of this division in place holds `{D}`",
    label = "cannot store `{Self}` in `{D}`",
    note = "`a = a.floor_div(&b)`, or `a.floor_div(2)`, divides integers and keeps their dtype, of a part `fuse!(part = part.floor_div(b))`; or convert the quotient: `a = (a.cast::<{Self}>() / b.cast::<{Self}>()).cast::<{D}>()`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait QuotientStaysIn<D> {}

#[diagnostic::do_not_recommend]
impl<D> QuotientStaysIn<D> for D {}

/// A bound on the right operand (in a tuple) of `+=` and the like, if the left operand is a shared reference. No operand
/// meets it, so its message is shown.
#[diagnostic::on_unimplemented(
    message = "a tensor behind `&` is not changed by operators such as `+=`",
    label = "changes the tensor on its left",
    note = "a function that changes a tensor takes `x: &mut Tensor<..>` and writes `*x += ..`; its caller writes `&mut x`; or make a new tensor, e.g. `let y = x + ..;`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ChangesShared {}

// Two types without values have the trait, so that rustc does not reject the operator before it knows the right operand. The operand is in
// a tuple, because rustc would leave out the message of a trait of the left side's type.
#[diagnostic::do_not_recommend]
impl ChangesShared for (Unnamed,) {}
#[diagnostic::do_not_recommend]
impl ChangesShared for ((Unnamed,),) {}

/// Implemented by every rank for itself.
#[diagnostic::on_unimplemented(
    message = "the result of this in-place operation is of `{Self}`, and its left side is of `{N}`",
    label = "cannot store `{Self}` in `{N}`",
    note = "the left side keeps its shape: sum the right side along the other axes, e.g. `a += b.sum_axis(0);`, or make a new tensor of the result, e.g. `let c = &a + &b;`; if the rank of a tensor of `AnyRank` is right at run time, state it, e.g. `a = (&a + &b).rank::<{N}>()?;`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait KeepsRank<N> {}

#[diagnostic::do_not_recommend]
impl<N> KeepsRank<N> for N {}
