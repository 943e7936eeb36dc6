//! A `DynTensor` has no elements by index, `d[[0, 1]]`. This impl exists for the message that says so.

use core::ops::Index;

use super::DynTensor;

/// Implemented for no type.
#[diagnostic::on_unimplemented(
    message = "a `DynTensor` has no elements by index, because the compiler does not know their type",
    label = "no index of elements of an unknown type",
    note = "give the tensor its types: `d.typed::<F32, Rank2, Jax>()?[[0, 1]]`; all elements are `d.to_vec::<F32>()?`, and parts are `d.index_axis(0, 1)` and `d.slice(0, 1..3)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait DynIndex {}

/// Stands for an index in the bound.
// Not the index itself: rustc would say how to implement the trait for it.
#[cfg_attr(doc, doc(hidden))]
pub struct IndexBy<I>(I);

#[doc(hidden)]
impl<I> Index<I> for DynTensor
where
    IndexBy<I>: DynIndex,
{
    type Output = Self;

    fn index(&self, _: I) -> &Self {
        unreachable!("the bound never holds")
    }
}
