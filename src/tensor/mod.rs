//! `Tensor<D, N, R>`: a dtype, a rank and a rule set as types, over an erased [`Array`].

pub(crate) mod arrange;
pub(crate) mod convert;
pub(crate) mod create;
pub(crate) mod display;
pub(crate) mod equality;
pub(crate) mod literal;
pub(crate) mod view;

use core::marker::PhantomData;

pub use convert::PromoteUnsafe;

use crate::array::Array;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::exec;
pub(crate) use crate::exec::or_panic;
use crate::rank::{AnyRank, Rank, StaticRank};
use crate::rules::{Jax, Rules};

/// A tensor whose dtype `D`, rank `N` and promotion rules `R` the compiler knows; sizes are known at
/// run time.
///
/// Storage is shared and copied on write: cloning a tensor and making a view of it cost no copy of
/// the elements.
///
/// ```
/// use supremum::{BF16, F16, F32, Rank2, Tensor, tensor};
/// let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let bias: Tensor<F16, Rank2> = tensor![[0.5, 0.25]];
/// let sum: Tensor<F32, Rank2> = &weights + &bias; // bf16 and f16 promote to f32
/// assert_eq!(sum.to_vec(), [1.5, 2.25, 3.5, 4.25]);
/// ```
pub struct Tensor<D, N = AnyRank, R = Jax> {
    array: Array,
    types: PhantomData<fn() -> (D, N, R)>,
}

impl<D, N, R> Clone for Tensor<D, N, R> {
    fn clone(&self) -> Self {
        Self {
            array: self.array.clone(),
            types: PhantomData,
        }
    }
}

impl<D, N, R> Tensor<D, N, R> {
    /// The erased array.
    pub(crate) fn array(&self) -> &Array {
        &self.array
    }
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Wraps an array that has the dtype and rank of the type.
    pub(crate) fn from_array(array: Array) -> Self {
        debug_assert_eq!(array.dtype(), D::DTYPE);
        debug_assert!(N::RANK.is_none_or(|rank| rank == array.rank()));
        Self {
            array,
            types: PhantomData,
        }
    }

    /// The erased array for writing. It may be replaced only by one of the same dtype and shape.
    pub(crate) fn array_mut(&mut self) -> &mut Array {
        &mut self.array
    }

    /// The erased array.
    pub(crate) fn into_array(self) -> Array {
        self.array
    }

    /// The size of every dimension.
    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    /// The size of every dimension, as an array of as many numbers as the rank has.
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
        self.array.rank()
    }

    /// The distance between neighbours along every dimension, in elements; zero where the tensor
    /// is broadcast, negative where it is flipped.
    pub fn strides(&self) -> &[isize] {
        self.array.strides()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.array.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The dtype at run time.
    pub fn dtype(&self) -> crate::dtype::DType {
        D::DTYPE
    }

    /// Returns the element at an index (one number for each dimension); `None` outside the shape.
    ///
    /// ```
    /// use supremum::{Tensor, I32, tensor};
    /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// assert_eq!(t.get(&[1, 0]), Some(3));
    /// assert_eq!(t.get(&[2, 0]), None);
    /// ```
    pub fn get(&self, index: &[usize]) -> Option<D::Element> {
        exec::get(&self.array, index)
    }

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
        or_panic(exec::to_vec(&self.array))
    }

    /// Borrows the elements, if they lie in memory in row-major order without gaps.
    pub fn as_slice(&self) -> Option<&[D::Element]> {
        self.array.as_slice()
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
        or_panic(exec::as_mut_slice(&mut self.array))
    }

    /// Iterates over the elements in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = D::Element> + '_ {
        exec::iter(&self.array)
    }

    /// Returns the only element.
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
    pub fn item(&self) -> Result<D::Element, Error> {
        exec::require_concrete("item", &self.array)?;
        if self.len() == 1 {
            Ok(exec::to_vec(&self.array)?[0])
        } else {
            Err(Error::NotOneElement {
                shape: self.shape().into(),
            })
        }
    }
}
