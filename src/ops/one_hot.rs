//! `one_hot`: classes as vectors.

use crate::dtype::{IntegerDType, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::rank::{AddAxis, Rank};
use crate::rules::Rules;
use crate::tensor::{Tensor, or_panic};

/// # Classes
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns a vector for each element: a one (`true`) at the position of the element's number, and zeros elsewhere, as JAX's and PyTorch's
    /// `one_hot`. The vectors are along a new last axis of the size `classes`.
    ///
    /// The dtype is the one that the call names, `one_hot::<F32>(10)`, or the code around it, `let t: Tensor<F32, Rank2> = x.one_hot(10)`.
    /// `Bool` gives a mask for `select`.
    ///
    /// A number out of range, also a negative one, is an error, as in PyTorch. In a trace (`stablehlo::trace`) the numbers may be
    /// unknown; when the program runs, the vector of a number out of range is zero, as in JAX.
    ///
    /// # Panics
    /// With the text of [`Self::try_one_hot`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank1, Rank2, Tensor, tensor};
    /// let labels: Tensor<I64, Rank1> = tensor![2, 0];
    /// let targets: Tensor<F32, Rank2> = labels.one_hot(3);
    /// assert_eq!(targets.to_vec(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where nothing states the dtype.
    #[track_caller]
    #[must_use]
    pub fn one_hot<To>(&self, classes: usize) -> Tensor<To, <N as AddAxis>::Output, R> // `one_hot::<F32>(10)`, whatever `help` says
    where
        D: IntegerDType,
        N: AddAxis,
        To: StaticDType,
    {
        or_panic(self.try_one_hot(classes))
    }

    /// [`Self::one_hot`], fallible.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] for a number that is negative or not below `classes`; [`Error::RankTooLarge`] above rank 8;
    /// [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor, U8, tensor};
    /// let labels: Tensor<U8, Rank1> = tensor![2, 10];
    /// let error = labels.try_one_hot::<F32>(10).unwrap_err();
    /// assert_eq!(error.to_string(), "one_hot: index 10 is outside axis 1 of size 10");
    /// ```
    pub fn try_one_hot<To>(
        &self,
        classes: usize,
    ) -> Result<Tensor<To, <N as AddAxis>::Output, R>, Error>
    where
        D: IntegerDType,
        N: AddAxis,
        To: StaticDType,
    {
        exec::one_hot(self.array(), classes, To::DTYPE).map(Tensor::from_array)
    }
}
