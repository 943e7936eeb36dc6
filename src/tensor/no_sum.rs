//! Impls for `.sum()` and `.product()` of an iterator of tensors, which exist only for their message.
//!
//! The operations are not defined, because the sum of no tensors would have no shape.

use core::iter::{Product, Sum};

use super::Tensor;

/// Implemented for no type.
#[diagnostic::on_unimplemented(
    message = "an iterator of tensors has no `sum` and no `product`, because those of no tensors would have no shape",
    label = "the items are tensors",
    note = "name the operation: `tensors.into_iter().reduce(|a, b| a + b)` gives an `Option`, and `tensors.iter().fold(first, |a, b| a + b)` begins with a tensor; or `stack(&references, 0).sum_axis(0)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Summand {}

/// Stands for an item in the bound.
// Not the item itself: rustc would say how to implement the trait for it.
#[cfg_attr(doc, doc(hidden))]
pub struct Item<T>(T);

#[doc(hidden)]
impl<D, N, R, T> Sum<T> for Tensor<D, N, R>
where
    Item<T>: Summand,
{
    fn sum<I: Iterator<Item = T>>(_: I) -> Self {
        unreachable!("the bound never holds")
    }
}

#[doc(hidden)]
impl<D, N, R, T> Product<T> for Tensor<D, N, R>
where
    Item<T>: Summand,
{
    fn product<I: Iterator<Item = T>>(_: I) -> Self {
        unreachable!("the bound never holds")
    }
}
