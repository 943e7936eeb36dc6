//! Shape, dtype and elements of a tensor.

use super::{Tensor, or_panic};
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::rank::{Rank, StaticRank};
use crate::rules::Rules;

/// # Shape and dtype
// The impl has no bounds, so that generic code that only looks at shapes needs none either.
impl<D, N, R> Tensor<D, N, R> {
    /// The size of each axis.
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has an argument.
    pub fn shape(&self) -> &[usize] { // the size of one axis: `t.shape()[axis]`, not as `help` says
        self.array().shape()
    }

    /// The size of each axis, as an array of as many numbers as the rank has.
    ///
    /// ```
    /// use supremum::{F32, Rank3, Tensor};
    /// let x = Tensor::<F32, Rank3>::zeros([2, 3, 4]);
    /// let [batch, time, width] = x.sizes();
    /// assert_eq!((batch, time, width), (2, 3, 4));
    /// let same_shape = Tensor::<F32, Rank3>::ones(x.sizes());
    /// assert_eq!(same_shape.shape(), x.shape());
    /// ```
    pub fn sizes<S>(&self) -> S
    where
        N: StaticRank<Sizes = S>,
    {
        N::sizes_of(self.shape())
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.array().rank()
    }

    /// The distance between neighbours along every dimension, in elements; zero where the tensor
    /// is broadcast, negative where it is flipped.
    pub fn strides(&self) -> &[isize] {
        self.array().strides()
    }

    /// The number of elements.
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn len(&self) -> usize { // the size of one axis: `t.shape()[axis]`, not as `help` says
        self.array().len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The dtype at run time.
    pub fn dtype(&self) -> DType
    where
        D: StaticDType,
    {
        D::DTYPE
    }
}

/// # Elements
///
/// [`index_axis`](Self::index_axis) and [`slice`](Self::slice) give parts of a tensor as tensors.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The elements in row-major order.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{Tensor, I32, tensor};
    /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// assert_eq!(t.transpose().to_vec(), [1, 3, 2, 4]);
    /// ```
    #[track_caller]
    pub fn to_vec(&self) -> Vec<D::Element> {
        or_panic(exec::to_vec(self.array()))
    }

    /// [`Self::to_vec`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_to_vec(&self) -> Result<Vec<D::Element>, Error> {
        exec::require_concrete("to_vec", self.array())?;
        exec::to_vec(self.array())
    }

    /// Borrows the elements, if they lie in memory in row-major order without gaps.
    pub fn as_slice(&self) -> Option<&[D::Element]> {
        self.array().as_slice()
    }

    /// Borrows the elements for writing, in row-major order; copies them first if the storage is shared or not
    /// contiguous.
    ///
    /// # Panics
    /// Without memory for the copy, with the text of [`Error::OutOfMemory`]. The tensor is unchanged then.
    ///
    /// ```
    /// use supremum::{Tensor, I32};
    /// let original = Tensor::<I32>::zeros([3]);
    /// let mut copy = original.clone();
    /// copy.as_mut_slice()[1] = 7;
    /// assert_eq!((original.to_vec(), copy.to_vec()), (vec![0, 0, 0], vec![0, 7, 0]));
    /// ```
    #[track_caller]
    pub fn as_mut_slice(&mut self) -> &mut [D::Element] {
        or_panic(exec::as_mut_slice(self.array_mut()))
    }

    /// [`Self::as_mut_slice`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] without memory for the copy. The tensor is unchanged then.
    pub fn try_as_mut_slice(&mut self) -> Result<&mut [D::Element], Error> {
        exec::require_concrete("as_mut_slice", self.array())?;
        exec::as_mut_slice(self.array_mut())
    }

    /// Returns the only element. For a tensor of rank 0, `f32::from(t)` does so too, but panics instead of returning an
    /// error.
    ///
    /// # Errors
    /// [`Error::NotOneElement`] if the tensor has no element or more than one.
    ///
    /// ```
    /// use supremum::{Tensor, I32, tensor};
    /// let t: Tensor<I32> = tensor![1, 2, 3];
    /// assert_eq!(t.sum().item(), Ok(6_i64));
    /// assert!(t.item().is_err());
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn item(&self) -> Result<D::Element, Error> { // an element at an index: `t[[0, 1]]`, not as `help` says
        exec::require_concrete("item", self.array())?;
        if self.len() == 1 {
            Ok(exec::to_vec(self.array())?[0])
        } else {
            Err(Error::NotOneElement {
                shape: self.shape().into(),
            })
        }
    }
}
