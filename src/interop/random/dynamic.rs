//! Dynamic tensors of random numbers.

use core::ops::Range;
use std::borrow::Cow;

use rand::Rng;

use super::sample::{Integers, Normal, Uniform};
use super::{IntegerRange, Samples, bernoulli, permutation, shuffled};
use crate::array::Array;
use crate::dtype::{DType, Element, Kind, StaticDType, dispatch_dtype};
use crate::dynamic::DynTensor;
use crate::dynamic::plain::plain_functions;
use crate::error::{Error, named};
use crate::exec::{self, or_panic};
use crate::rank::{Axis, SizeList};
use crate::rules::{Jax, Rules};
use crate::tensor::FitsF64;

/// The dtype, if it is of one of these kinds.
fn of_kind(operation: &'static str, dtype: DType, kinds: &[Kind]) -> Result<(), Error> {
    match kinds.contains(&dtype.kind()) {
        true => Ok(()),
        false => Err(Error::UnsupportedDType { operation, dtype }),
    }
}

fn strong(array: Array) -> DynTensor {
    DynTensor::from_array(array, false, Jax::RULE_SET)
}

/// # Random numbers
///
/// With the feature `rand`: the elements that the methods of [`Tensor`](crate::Tensor) of these names give, with the same promises, under
/// [`Jax`] rules.
impl DynTensor {
    /// Makes a tensor of samples of a distribution, each converted to the dtype as by [`Self::cast`]; see
    /// [`Tensor::random`](crate::Tensor::random). `T` is the type of the samples.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::RankTooLarge`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::{SeedableRng, distr::StandardUniform};
    /// use supremum::{DType, DynTensor};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let x = DynTensor::try_random::<f32, _>(DType::F16, [2, 3], &StandardUniform, &mut rng);
    /// assert!(x.is_ok_and(|x| x.dtype() == DType::F16));
    /// # }
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_random<T: Element, G: Rng + ?Sized>( // `try_random(DType::F32, [2, 3], &distribution, &mut rng)?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
        distribution: impl Samples<T>,
        rng: &mut G,
    ) -> Result<Self, Error> {
        let samples = Array::from_positions(shape.as_ref(), |_| distribution.sample(rng));
        let samples = named("random", samples)?;
        Ok(strong(exec::cast(Cow::Owned(samples), dtype)?))
    }

    /// Makes a tensor of floats from the start of a range up to, but never at, its end; see
    /// [`Tensor::uniform`](crate::Tensor::uniform).
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless the dtype is a float; [`Error::RandomRange`] if it has no value in the range, or the
    /// range is not finite in it; those of [`Self::try_random`].
    ///
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use supremum::rand::SeedableRng;
    /// use supremum::{DType, DynTensor, Error};
    /// let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    /// let x = DynTensor::try_uniform(DType::F8E5M2, [100], -1.0..1.0, &mut rng);
    /// assert!(x.is_ok_and(|x| x.try_lt(1.0).is_ok_and(|below| below.all() == DynTensor::ones(DType::Bool, []).expect("one"))));
    /// let refused = DynTensor::try_uniform(DType::I32, [100], -1.0..1.0, &mut rng);
    /// assert!(matches!(refused, Err(Error::UnsupportedDType { operation: "uniform", dtype: DType::I32 })));
    /// # }
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_uniform<G: Rng + ?Sized>( // `try_uniform(DType::F32, [2, 3], -1.0..1.0, &mut rng)?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
        range: Range<impl FitsF64>,
        rng: &mut G,
    ) -> Result<Self, Error> {
        of_kind("uniform", dtype, &[Kind::Float])?;
        let range = range.start.to_f64("uniform")?..range.end.to_f64("uniform")?;
        dispatch_dtype!(dtype, D => {
            let uniform = Uniform::<<D as StaticDType>::Element>::new(range)?;
            let array = Array::from_positions(shape.as_ref(), |_| uniform.sample(rng));
            named("uniform", array).map(strong)
        })
    }

    /// Makes a tensor of floats of a normal distribution; see [`Tensor::normal`](crate::Tensor::normal).
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless the dtype is a float; [`Error::Parameter`]; those of [`Self::try_random`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_normal<G: Rng + ?Sized>( // `try_normal(DType::F32, [2, 3], 0.0, 0.02, &mut rng)?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
        mean: impl FitsF64,
        std: impl FitsF64,
        rng: &mut G,
    ) -> Result<Self, Error> {
        of_kind("normal", dtype, &[Kind::Float])?;
        let normal = Normal::new(mean.to_f64("normal")?, std.to_f64("normal")?)?;
        dispatch_dtype!(dtype, D => {
            let sample = |_| normal.sample::<<D as StaticDType>::Element, G>(rng);
            named("normal", Array::from_positions(shape.as_ref(), sample)).map(strong)
        })
    }

    /// Makes a tensor of integers in a range; see [`Tensor::integers`](crate::Tensor::integers).
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless the dtype is an integer; [`Error::RandomRange`]; those of [`Self::try_random`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_integers<G: Rng + ?Sized>( // `try_integers(DType::I64, [2, 3], 0..10, &mut rng)?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
        range: impl IntegerRange,
        rng: &mut G,
    ) -> Result<Self, Error> {
        of_kind("integers", dtype, &[Kind::Unsigned, Kind::Signed])?;
        let integers = Integers::new(dtype, range)?;
        dispatch_dtype!(dtype, D => {
            let sample = |_| integers.sample::<<D as StaticDType>::Element, G>(rng);
            named("integers", Array::from_positions(shape.as_ref(), sample)).map(strong)
        })
    }

    /// Makes a tensor of truth values, each true with this probability.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a probability that is not between 0 and 1; those of [`Self::try_random`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_bernoulli<G: Rng + ?Sized>( // `try_bernoulli([2, 3], 0.5, &mut rng)?`, not as `help` says
        shape: impl SizeList,
        probability: f64,
        rng: &mut G,
    ) -> Result<Self, Error> {
        named("bernoulli", bernoulli(shape.as_ref(), probability, rng)).map(strong)
    }

    /// Makes a vector of the integers from zero up to, but not at, `len`, in random order.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless the dtype is an integer; [`Error::TooManyPositions`] if it has fewer such
    /// integers; [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_permutation<G: Rng + ?Sized>( // `try_permutation(DType::I64, 5, &mut rng)?`, not as `help` says
        dtype: DType,
        len: usize,
        rng: &mut G,
    ) -> Result<Self, Error> {
        of_kind("permutation", dtype, &[Kind::Unsigned, Kind::Signed])?;
        named("permutation", permutation(dtype, len, rng)).map(strong)
    }

    plain_functions! {
        try_random as
            fn random<T: Element; G: Rng, ?Sized>( // `random(DType::F32, [2, 3], &distribution, &mut rng)`, not as `help` says
            dtype: DType, shape: impl SizeList, distribution: impl Samples<T>, rng: &mut G
        );
        try_uniform as fn uniform<G: Rng, ?Sized>( // `uniform(DType::F32, [2, 3], -1.0..1.0, &mut rng)`, not as `help` says
            dtype: DType, shape: impl SizeList, range: Range<impl FitsF64>, rng: &mut G
        );
        try_normal as fn normal<G: Rng, ?Sized>( // `normal(DType::F32, [2, 3], 0.0, 0.02, &mut rng)`, not as `help` says
            dtype: DType, shape: impl SizeList, mean: impl FitsF64, std: impl FitsF64, rng: &mut G
        );
        try_integers as fn integers<G: Rng, ?Sized>( // `integers(DType::I64, [2, 3], 0..10, &mut rng)`, not as `help` says
            dtype: DType, shape: impl SizeList, range: impl IntegerRange, rng: &mut G
        );
        try_bernoulli as fn bernoulli<G: Rng, ?Sized>( // `bernoulli([2, 3], 0.5, &mut rng)`, not as `help` says
            shape: impl SizeList, probability: f64, rng: &mut G
        );
        try_permutation as fn permutation<G: Rng, ?Sized>( // `permutation(DType::I64, 5, &mut rng)`, not as `help` says
            dtype: DType, len: usize, rng: &mut G
        );
    }

    /// Returns the slices along an axis in random order; see [`Tensor::shuffle`](crate::Tensor::shuffle). Weakness and rules stay.
    ///
    /// # Panics
    /// With the text of [`Self::try_shuffle`]'s error.
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
        let array = shuffled(self.array(), axis.to_signed(), rng)?;
        Ok(Self::from_array(array, self.is_weak(), self.rules()))
    }
}
