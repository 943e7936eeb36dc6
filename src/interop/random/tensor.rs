//! Typed tensors of random numbers.

use core::ops::Range;

use rand::Rng;

use super::sample::{Integers, Normal, Uniform};
use super::{IntegerRange, Sampled, Samples, bernoulli, permutation, shuffled};
use crate::array::Array;
use crate::dtype::cast::cast;
use crate::dtype::{Bool, FloatDType, IntegerDType, StaticDType};
use crate::error::{Error, named};
use crate::exec::or_panic;
use crate::rank::{Axis, IntoShape, Rank, Rank1};
use crate::rules::Rules;
use crate::tensor::create::sizes;
use crate::tensor::{FitsF64, Tensor};

/// # Random numbers
///
/// With the feature `rand`. The generator is `supremum::rand::rng()`, which the system seeds, or any other of the crates `rand`,
/// `rand_pcg`, `rand_chacha` and the like. Elements are drawn one after the other, in row-major order, on the calling thread.
///
/// ```
/// # #[cfg(feature = "rand")] {
/// use supremum::{F32, Rank2, Tensor};
/// let mut rng = supremum::rand::rng();
/// let weights = Tensor::<F32, Rank2>::uniform([2, 3], -1.0..1.0, &mut rng);
/// assert!(weights.iter().all(|w| (-1.0..1.0).contains(&w)));
/// # }
/// ```
///
/// With a portable generator, such as `rand_pcg::Pcg64` or `rand_chacha::ChaCha8Rng` from a seed, the results are the same on
/// every processor, with any number of threads. (`rand::rngs::StdRng` may change with the version of `rand`.) For
/// [`uniform`](Self::uniform), [`normal`](Self::normal), [`bernoulli`](Self::bernoulli), [`integers`](Self::integers),
/// [`permutation`](Self::permutation) and [`shuffle`](Self::shuffle) a test pins values, and a change of them is a breaking change.
/// The samples of [`random`](Self::random) are up to the distribution: those of `rand_distr` may call functions of the platform.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Makes a tensor of samples of a distribution, such as those of `rand::distr` and the crate `rand_distr`, or of a reference to one.
    ///
    /// `f16`, `bf16` and the 8-bit floats are sampled as `f32` and rounded to nearest even, so they can reach the end of a
    /// half-open range; [`Self::uniform`] does not. All other elements are sampled as they are.
    ///
    /// # Panics
    /// With the text of [`Self::try_random`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use rand_distr::Exp;
    /// use supremum::rand::SeedableRng;
    /// use supremum::{F32, Rank2, Tensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let waits = Tensor::<F32, Rank2>::random([2, 3], &Exp::new(0.5_f32).expect("a rate"), &mut rng);
    /// assert!(waits.min().item().is_ok_and(|least| least > 0.0));
    /// # }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn random< // `random([2, 3], &distribution, &mut rng)`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        distribution: impl Samples<<D::Element as Sampled>::Sample>,
        rng: &mut G,
    ) -> Self {
        or_panic(Self::try_random(shape, distribution, rng))
    }

    /// [`Self::random`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::RankTooLarge`], [`Error::RankMismatch`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_random< // `try_random([2, 3], &distribution, &mut rng)?`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        distribution: impl Samples<<D::Element as Sampled>::Sample>,
        rng: &mut G,
    ) -> Result<Self, Error> {
        let sample = |_| cast::<_, D::Element>(distribution.sample(rng));
        let array = Array::from_positions(sizes("random", &shape)?, sample);
        named("random", array.map(Self::from_array))
    }

    /// Makes a tensor of floats from the start of a range up to, but never at, its end; each part of the range is as likely as
    /// others of its width.
    ///
    /// A number of 53 random bits is computed in `f64`, and rounded down to an element. So the probability of a number below an
    /// element is exact to those 53 bits, in `bf16` and the 8-bit floats too. A start that the dtype does not have counts as the next element.
    ///
    /// # Panics
    /// With the text of [`Self::try_uniform`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{BF16, Rank1, Tensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let x = Tensor::<BF16, Rank1>::uniform([10_000], 0.0..1.0, &mut rng);
    /// assert!(x.iter().all(|x| (0.0..1.0).contains(&x.to_f32())));
    /// # }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn uniform< // `uniform([2, 3], -1.0..1.0, &mut rng)`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        range: Range<impl FitsF64>,
        rng: &mut G,
    ) -> Self
    where
        D: FloatDType,
    {
        or_panic(Self::try_uniform(shape, range, rng))
    }

    /// [`Self::uniform`], fallible.
    ///
    /// # Errors
    /// [`Error::RandomRange`] if the dtype has no value in the range, or if its bounds or its width are not finite in the dtype;
    /// those of [`Self::try_random`].
    #[rustfmt::skip] // As above.
    pub fn try_uniform< // `try_uniform([2, 3], -1.0..1.0, &mut rng)?`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        range: Range<impl FitsF64>,
        rng: &mut G,
    ) -> Result<Self, Error>
    where
        D: FloatDType,
    {
        let uniform = Uniform::<D::Element>::new(
            range.start.to_f64("uniform")?..range.end.to_f64("uniform")?,
        )?;
        let array = Array::from_positions(sizes("uniform", &shape)?, |_| uniform.sample(rng));
        named("uniform", array.map(Self::from_array))
    }

    /// Makes a tensor of floats of the normal distribution with this mean and standard deviation.
    ///
    /// Each is computed in `f64` from 52 random bits, by the inverse of the distribution function (algorithm AS 241), and rounded
    /// once, to nearest even. It is at most 8.21 standard deviations from the mean.
    ///
    /// # Panics
    /// With the text of [`Self::try_normal`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{F32, Rank2, Tensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let weights = Tensor::<F32, Rank2>::normal([256, 64], 0.0, 0.02, &mut rng);
    /// assert!(weights.std().item().is_ok_and(|std| (std - 0.02).abs() < 0.001));
    /// # }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn normal< // `normal([2, 3], 0.0, 0.02, &mut rng)`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        mean: impl FitsF64,
        std: impl FitsF64,
        rng: &mut G,
    ) -> Self
    where
        D: FloatDType,
    {
        or_panic(Self::try_normal(shape, mean, std, rng))
    }

    /// [`Self::normal`], fallible.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the mean is not finite, or the standard deviation below zero or not finite; those of
    /// [`Self::try_random`].
    #[rustfmt::skip] // As above.
    pub fn try_normal< // `try_normal([2, 3], 0.0, 0.02, &mut rng)?`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        mean: impl FitsF64,
        std: impl FitsF64,
        rng: &mut G,
    ) -> Result<Self, Error>
    where
        D: FloatDType,
    {
        let normal = Normal::new(mean.to_f64("normal")?, std.to_f64("normal")?)?;
        let array =
            Array::from_positions::<D::Element>(sizes("normal", &shape)?, |_| normal.sample(rng));
        named("normal", array.map(Self::from_array))
    }

    /// Makes a tensor of the integers in a range such as `0..10` or `1..=6`, each with the same probability. The bounds are of any integer
    /// type, such as `i64` or `usize`. Bounds of `i128` can end after the greatest `u64`.
    ///
    /// # Panics
    /// With the text of [`Self::try_integers`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{Rank1, Tensor, U8};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let dice = Tensor::<U8, Rank1>::integers([1000], 1..=6, &mut rng);
    /// assert_eq!((dice.min().item(), dice.max().item()), (Ok(1), Ok(6)));
    /// # }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn integers< // `integers([2, 3], 0..10, &mut rng)`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        range: impl IntegerRange,
        rng: &mut G,
    ) -> Self
    where
        D: IntegerDType,
    {
        or_panic(Self::try_integers(shape, range, rng))
    }

    /// [`Self::integers`], fallible.
    ///
    /// # Errors
    /// [`Error::RandomRange`] if the range is empty or not within the dtype (its text has the range with an exclusive end); those of [`Self::try_random`].
    #[rustfmt::skip] // As above.
    pub fn try_integers< // `try_integers([2, 3], 0..10, &mut rng)?`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        range: impl IntegerRange,
        rng: &mut G,
    ) -> Result<Self, Error>
    where
        D: IntegerDType,
    {
        let integers = Integers::new(D::DTYPE, range)?;
        let array = Array::from_positions::<D::Element>(sizes("integers", &shape)?, |_| {
            integers.sample(rng)
        });
        named("integers", array.map(Self::from_array))
    }

    /// Returns the slices along an axis in random order, each order with the same probability. The axis may count from the end.
    ///
    /// # Panics
    /// With the text of [`Self::try_shuffle`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let rows: Tensor<I32, Rank2> = tensor![[1, 10], [2, 20], [3, 30]];
    /// let shuffled = rows.shuffle(0, &mut rng);
    /// assert_eq!(shuffled.sum_axis(0), rows.sum_axis(0));
    /// assert!(shuffled.rows().all(|row| row[[1]] == 10 * row[[0]])); // rows stay together
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn shuffle<G: Rng + ?Sized>( // `let mut rng = supremum::rand::rng();`, and `a.shuffle(0, &mut rng)`
        &self,
        axis: impl Axis,
        rng: &mut G,
    ) -> Self {
        or_panic(self.try_shuffle(axis, rng))
    }

    /// [`Self::shuffle`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_shuffle<G: Rng + ?Sized>( // `let mut rng = supremum::rand::rng();`, and `a.try_shuffle(0, &mut rng)?`
        &self,
        axis: impl Axis,
        rng: &mut G,
    ) -> Result<Self, Error> {
        shuffled(self.array(), axis.to_signed(), rng).map(Self::from_array)
    }
}

/// Implemented by every type for itself, so that it determines a dtype that is not inferred yet.
#[diagnostic::on_unimplemented(
    message = "`bernoulli` makes a tensor of `{Self}`, not of `{D}`",
    label = "samples are truth values",
    note = "make it of `Bool` and convert it, e.g. `Tensor::<Bool, Rank2>::bernoulli([2, 3], 0.9, &mut rng).cast::<F32>()`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SamplesOf<D> {}

#[diagnostic::do_not_recommend]
impl<D> SamplesOf<D> for D {}

/// # Random truth values
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Makes a tensor of truth values, each true with this probability.
    ///
    /// # Panics
    /// With the text of [`Self::try_bernoulli`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{Bool, Rank1, Tensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let kept = Tensor::<Bool, Rank1>::bernoulli([10_000], 0.9, &mut rng);
    /// assert!((8800..9200).contains(&kept.iter().filter(|kept| *kept).count()));
    /// # }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn bernoulli< // `bernoulli([2, 3], 0.5, &mut rng)`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        probability: f64,
        rng: &mut G,
    ) -> Self
    where
        D: StaticDType,
        Bool: SamplesOf<D>,
    {
        or_panic(Self::try_bernoulli(shape, probability, rng))
    }

    /// [`Self::bernoulli`], fallible.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a probability below zero, above one, or NaN; those of [`Self::try_random`].
    #[rustfmt::skip] // As above.
    pub fn try_bernoulli< // `try_bernoulli([2, 3], 0.5, &mut rng)?`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        shape: impl IntoShape<N>,
        probability: f64,
        rng: &mut G,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
        Bool: SamplesOf<D>,
    {
        let array = bernoulli(sizes("bernoulli", &shape)?, probability, rng);
        named("bernoulli", array.map(Self::from_array))
    }
}

/// Implemented by every type for itself, so that it determines a rank that is not inferred yet.
#[diagnostic::on_unimplemented(
    message = "`permutation` makes a tensor of `{Self}`, not of `{N}`",
    label = "an order is a vector of integers",
    note = "state the rank, e.g. `Tensor::<I64, Rank1>::permutation(5, &mut rng)`; rows in random order are `t.shuffle(0, &mut rng)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OrderOf<N> {}

#[diagnostic::do_not_recommend]
impl<N> OrderOf<N> for N {}

/// # Random order
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Makes a vector of the integers from zero up to, but not at, `len`, in random order, each order with the same probability.
    ///
    /// # Panics
    /// With the text of [`Self::try_permutation`]'s error.
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{I64, Rank1, Tensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let mut order = Tensor::<I64, Rank1>::permutation(5, &mut rng).to_vec();
    /// order.sort();
    /// assert_eq!(order, [0, 1, 2, 3, 4]);
    /// # }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn permutation< // `permutation(5, &mut rng)`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        len: usize,
        rng: &mut G,
    ) -> Self
    where
        D: IntegerDType,
        Rank1: OrderOf<N>,
    {
        or_panic(Self::try_permutation(len, rng))
    }

    /// [`Self::permutation`], fallible.
    ///
    /// # Errors
    /// [`Error::TooManyPositions`] if the dtype has fewer such integers; [`Error::ShapeTooLarge`],
    /// [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_permutation< // `try_permutation(5, &mut rng)?`, `let mut rng = supremum::rand::rng();`, not as `help` says
        G: Rng + ?Sized,
    >(
        len: usize,
        rng: &mut G,
    ) -> Result<Self, Error>
    where
        D: IntegerDType,
        Rank1: OrderOf<N>,
    {
        named("permutation", permutation(D::DTYPE, len, rng)).map(Self::from_array)
    }
}
