//! Conversions to another dtype, rank or rule set.

use std::borrow::Cow;

use super::from::{Makes, Target};
use super::{Tensor, or_panic};
use crate::array::Array;
use crate::dtype::{DType, RealDType, StaticDType, WidensTo, dispatch_dtype};
use crate::error::Error;
use crate::exec;
use crate::rank::{AnyRank, MayBe, Rank};
use crate::rules::Rules;

/// # Conversion
///
/// To another dtype, rank or rule set. The last two copy nothing.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Converts to a dtype that has all values of this one. Other conversions do not compile. Of floats and booleans `From` does the same
    /// where the types are stated: `let wide: Tensor<F32, Rank2> = halves.into();`
    ///
    /// # Panics
    /// As [`Self::cast`].
    ///
    /// ```
    /// use supremum::{F32, U16, Tensor, tensor};
    /// let t: Tensor<U16> = tensor![1, 65535];
    /// assert_eq!(t.widen::<F32>().to_vec(), [1.0, 65535.0]);
    /// ```
    ///
    /// ```compile_fail,E0277
    /// # use supremum::{F16, U16, Tensor, tensor};
    /// # let t: Tensor<U16> = tensor![1, 65535];
    /// t.widen::<F16>(); // 65,535 is not an f16
    /// ```
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    #[track_caller]
    pub fn widen<To: StaticDType>(&self) -> Tensor<To, N, R> where D: WidensTo<To> { // a type, which `help` drops: `widen::<F32>()`
        self.cast()
    }

    /// Converts to another dtype, if it has all values, as Rust's `TryFrom`. NaN stays NaN in a float.
    ///
    /// # Errors
    /// [`Error::InexactCast`] with the first value, in row-major order, that the dtype does not have;
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{F32, U8, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![1.0, 255.0];
    /// assert_eq!(t.try_cast::<U8>()?.to_vec(), [1, 255]);
    /// let t: Tensor<F32> = tensor![1.0, 255.5];
    /// assert_eq!(t.try_cast::<U8>().unwrap_err().to_string(), "inexact cast: 255.5 at index [1] is not a value of u8");
    /// # Ok::<(), supremum::Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where the dtype is not known.
    pub fn try_cast<To: StaticDType>(&self) -> Result<Tensor<To, N, R>, Error> { // a type, which `help` drops: `try_cast::<U8>()?`
        try_cast(self.array(), To::DTYPE).map(Tensor::from_array)
    }

    /// Converts every value to another dtype, as Rust's `as`: floats to integers truncate and saturate, NaN becomes
    /// zero, integers wrap, and floats round once, to nearest even.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{F32, I8, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![1.9, -300.0, 0.0 / 0.0];
    /// assert_eq!(t.cast::<I8>().to_vec(), [1, -128, 0]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has an argument.
    #[track_caller]
    pub fn cast<To: StaticDType>(&self) -> Tensor<To, N, R> { // the dtype is a type, which `help` drops: `cast::<F32>()`
        let cast = exec::cast(Cow::Borrowed(self.array()), To::DTYPE);
        Tensor::from_array(or_panic(cast))
    }

    /// Converts to another real dtype, and saturates: a value beyond the finite numbers of that dtype becomes the nearest bound.
    ///
    /// | to | value beyond the bounds, infinity | NaN |
    /// | --- | --- | --- |
    /// | integers | the least or greatest integer; nothing wraps | 0 |
    /// | 8-bit floats, `F16`, `BF16`, `F32`, `F64` | plus or minus the largest finite number, also where the dtype has infinities | NaN |
    /// | `Bool` | as [`Self::cast`]: true unless zero | true |
    ///
    /// Values within the bounds convert as by [`Self::cast`]: floats to integers truncate, and floats round once, to nearest
    /// even. Complex numbers have no order, so they do not compile. The 8-bit floats alone: 448 is the largest finite number of
    /// `F8E4M3FN`, 57,344 that of `F8E5M2` and `F8E5M2FNUZ`, 240 that of `F8E4M3FNUZ` and 30 that of `F8E4M3B11FNUZ`.
    ///
    /// # Panics
    /// As [`Self::cast`].
    ///
    /// ```
    /// supremum::prelude!();
    /// let t: Tensor<I32, Rank1> = tensor![-7, 100, 300];
    /// assert_eq!(t.cast_saturating::<U8>().to_vec(), [0, 100, 255]);
    /// let t: Tensor<F32, Rank1> = tensor![1e9, -1.0 / 0.0, 0.3];
    /// assert_eq!(t.cast_saturating::<F8E4M3FN>().cast::<F32>().to_vec(), [448.0, -448.0, 0.3125]);
    /// // Quantised in one pass:
    /// let (x, scale): (Tensor<F32, Rank1>, _) = (tensor![0.5, -3.0, 2.6], 0.02_f32);
    /// let q: Tensor<I8, Rank1> = fuse!((x / scale).round().cast_saturating::<I8>());
    /// assert_eq!(q.to_vec(), [25, -128, 127]);
    /// ```
    #[track_caller]
    pub fn cast_saturating<To: RealDType>(&self) -> Tensor<To, N, R>
    where
        D: RealDType,
    {
        let cast = exec::cast_saturating(Cow::Borrowed(self.array()), To::DTYPE);
        Tensor::from_array(or_panic(cast))
    }

    /// Converts to a tensor whose rank the compiler knows; the storage is shared.
    ///
    /// # Errors
    /// [`Error::RankMismatch`] if it has another rank.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Rank2, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![[1.0], [2.0]];
    /// assert!(t.rank::<Rank2>().is_ok());
    /// assert!(t.rank::<Rank1>().is_err());
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where the rank is not known.
    pub fn rank<M: Rank>(&self) -> Result<Tensor<D, M, R>, Error> // a type, which `help` drops: `rank::<Rank2>()?`
    where
        N: MayBe<M>,
    {
        match M::RANK {
            Some(expected) if expected != self.ndim() => Err(Error::RankMismatch {
                operation: "rank",
                expected,
                shape: self.shape().into(),
            }),
            _ => Ok(Tensor::from_array(self.array().clone())),
        }
    }

    /// Converts to a tensor whose rank is known at run time only. `From` does the same.
    pub fn into_any(self) -> Tensor<D, AnyRank, R> {
        Tensor::from_array(self.into_array())
    }

    /// Returns the same tensor under other rules; the storage is shared, so it is free of cost.
    ///
    /// ```
    /// use supremum::{F32, I32, JaxStrict, Tensor, tensor};
    /// let a: Tensor<F32> = tensor![1.0];
    /// let strict = a.with_rules::<JaxStrict>(); // from here on nothing promotes but literals
    /// assert_eq!((strict + 1.0).to_vec(), [2.0]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has an argument.
    #[must_use]
    pub fn with_rules<S: Rules>(&self) -> Tensor<D, N, S> { // the rules are a type, which `help` drops: `with_rules::<Numpy>()`
        Tensor::from_array(self.array().clone())
    }

    /// Admits an unsafe promotion in the one operation that takes this operand; the result follows `R` again.
    ///
    /// ```
    /// use supremum::{F32, I64, Tensor, tensor};
    /// let counts: Tensor<I64> = tensor![3, 4];
    /// let scale: Tensor<F32> = tensor![0.5, 0.25];
    /// let scaled: Tensor<F32> = counts.promote_unsafe() * &scale; // without: does not compile
    /// assert_eq!(scaled.to_vec(), [1.5, 1.0]);
    /// ```
    #[must_use]
    pub fn promote_unsafe(&self) -> PromoteUnsafe<D, N, R> {
        PromoteUnsafe {
            tensor: self.clone(),
        }
    }

    /// Makes a weak dtype (from a literal) strong; the storage is shared. `From` converts to a dtype that the weak one yields to:
    /// `let y: Tensor<F32, Rank1> = (bytes / 255.0).into();`
    ///
    /// ```
    /// use supremum::{Bool, F64, Tensor, tensor};
    /// let t: Tensor<Bool> = tensor![true, false];
    /// let halves: Tensor<F64> = (t / 2.0).strong(); // bool / 2.0 is a weak f64
    /// assert_eq!(halves.to_vec(), [0.5, 0.0]);
    /// ```
    #[must_use]
    pub fn strong(&self) -> Tensor<D::Strong, N, R> {
        Tensor::from_array(self.array().clone())
    }
}

/// Converts an array to another dtype, if it has all values.
///
/// # Errors
/// [`Error::InexactCast`], [`Error::OutOfMemory`].
pub(crate) fn try_cast(array: &Array, to: DType) -> Result<Array, Error> {
    exec::try_cast(array, to, |position| {
        let mut rest = position;
        let mut index: Vec<usize> = array
            .shape()
            .iter()
            .rev()
            .map(|size| {
                let here = rest % size;
                rest /= size;
                here
            })
            .collect();
        index.reverse();
        let value = dispatch_dtype!(array.dtype(), D => {
            exec::get::<<D as StaticDType>::Element>(array, &index).map(|element| element.to_string())
        });
        Error::InexactCast {
            value: value.unwrap_or_default(),
            index,
            to,
        }
    })
}

/// An operand whose promotion may lose values, made by [`Tensor::promote_unsafe`].
///
/// It stands on either side of an operator, and is an argument of methods that take any [`Operand`](crate::Operand). Its own methods are
/// those of two tensors, with this one on the left.
///
/// ```
/// use supremum::{Error, F32, I64, Rank0, Rank1, Tensor, tensor};
/// let counts: Tensor<I64, Rank1> = tensor![3, 4];
/// let scale: Tensor<F32, Rank1> = tensor![0.5, 0.25];
/// let scaled: Tensor<F32, Rank1> = counts.promote_unsafe().try_mul(&scale)?;
/// let product: Tensor<F32, Rank0> = counts.promote_unsafe().matmul(&scale);
/// assert_eq!((scaled.to_vec(), product.item()?), (vec![1.5, 1.0], 2.5));
/// # Ok::<(), Error>(())
/// ```
pub struct PromoteUnsafe<D, N, R> {
    pub(crate) tensor: Tensor<D, N, R>,
}

macro_rules! forget_rank {
    ($($rank:ident $number:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<D: StaticDType, R: Rules> Makes<Tensor<D, crate::rank::$rank, R>> for Target<Tensor<D, AnyRank, R>> {
            fn make(tensor: Tensor<D, crate::rank::$rank, R>) -> Self {
                Target(tensor.into_any())
            }
        }
    )*};
}

supremum_macros::with_ranks!(forget_rank);
