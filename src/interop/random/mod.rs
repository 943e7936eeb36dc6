//! Random numbers by the crate `rand`: the same elements on every processor and with any number of threads.
//!
//! Elements are drawn one after the other, in row-major order, so the state of a generator decides all of them. The
//! convenience functions turn the generator's bits into elements with operations that IEEE 754 defines and with our own logarithm. They call no
//! function of the platform, and no size depends on `usize`.

mod dynamic;
mod sample;
mod tensor;

pub use tensor::{OrderOf, SamplesOf};

use core::ops::{Range, RangeInclusive};

use rand::Rng;
use rand::distr::Distribution;

use crate::array::Array;
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, StaticDType, dispatch_dtype};
use crate::error::Error;
use crate::exec;

/// A distribution, for its message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a distribution of `{Sample}`",
    label = "does not sample `{Sample}`",
    note = "a distribution is one of the crates `rand` and `rand_distr` that samples this type; a tensor of numbers in a range is `Tensor::<F32, Rank2>::uniform([2, 3], 0.0..1.0, &mut rng)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Samples<Sample>: Distribution<Sample> {}

#[diagnostic::do_not_recommend]
impl<T: Distribution<Sample>, Sample> Samples<Sample> for T {}

/// An element as distributions sample it: `f32` for `f16`, `bf16` and the 8-bit floats, which are then rounded to nearest even;
/// else the element itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element that distributions sample",
    label = "not the type of an element",
    note = "elements are `f32`, `i64`, `supremum::f16` and the like; generic code states this trait as a bound"
)]
pub trait Sampled: Element {
    /// The type that a [`Distribution`](rand::distr::Distribution) gives.
    type Sample: Element;
}

#[diagnostic::do_not_recommend]
impl<E: Element> Sampled for E {
    type Sample = <E as Format>::Widened;
}

/// A range of integers of any type: `1..7`, or `1..=6`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of integers",
    label = "not a range of integers",
    note = "a range of integers is `0..10`, which excludes 10, or `0..=10`; random floats are `Tensor::<F32, Rank2>::uniform([2, 3], 0.0..1.0, &mut rng)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IntegerRange {
    /// The first integer, and the one after the last. (The greatest `i128` stands for all beyond it.)
    #[doc(hidden)]
    fn half_open(self) -> Range<i128>;
}

#[diagnostic::do_not_recommend]
impl<T: TryInto<i128>> IntegerRange for Range<T> {
    fn half_open(self) -> Range<i128> {
        number(self.start)..number(self.end)
    }
}

#[diagnostic::do_not_recommend]
impl<T: TryInto<i128>> IntegerRange for RangeInclusive<T> {
    fn half_open(self) -> Range<i128> {
        let (start, last) = self.into_inner();
        number(start)..number(last).saturating_add(1)
    }
}

/// An integer as an `i128`. Only a `u128` may not fit, and the greatest `i128` is beyond every dtype, too.
fn number(x: impl TryInto<i128>) -> i128 {
    x.try_into().unwrap_or(i128::MAX)
}

/// Truth values that are true with a probability.
///
/// # Errors
/// [`Error::Parameter`] for a probability below zero or above one; the errors of an invalid shape; [`Error::OutOfMemory`].
fn bernoulli<G: Rng + ?Sized>(
    shape: &[usize],
    probability: f64,
    rng: &mut G,
) -> Result<Array, Error> {
    let threshold = sample::threshold(probability)?;
    Array::from_positions(shape, |_| u128::from(rng.next_u64()) < threshold)
}

/// The numbers from zero up to `len`, in random order.
///
/// # Errors
/// [`Error::TooManyPositions`] if the dtype has fewer values; [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
fn permutation<G: Rng + ?Sized>(dtype: DType, len: usize, rng: &mut G) -> Result<Array, Error> {
    dispatch_dtype!(dtype, D => {
        let mut array = sample::counted::<<D as StaticDType>::Element>(len)?;
        sample::shuffle(exec::as_mut_slice::<<D as StaticDType>::Element>(&mut array)?, rng);
        Ok(array)
    })
}

/// The slices along an axis in random order.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
fn shuffled<G: Rng + ?Sized>(x: &Array, axis: isize, rng: &mut G) -> Result<Array, Error> {
    let axis = crate::tensor::positions::axis_of("shuffle", axis, x.rank())?;
    let order = permutation(DType::I64, x.shape()[axis], rng)?;
    exec::take(x, &order, axis)
}
