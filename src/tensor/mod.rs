//! `Tensor<D, N, R>`: a dtype, a rank and a rule set as types, over an erased [`Array`].

// rustdoc lists the methods of `Tensor` in the order of these modules.
pub(crate) mod collect;
pub(crate) mod create;
mod like;

mod element_from;
pub(crate) mod elements;
mod fits_f64;
pub(crate) mod index;
mod indices;
pub(crate) mod iterate;
mod list;

pub(crate) mod map;
pub(crate) mod slice_axes;
pub(crate) mod view;
pub(crate) mod view_mut;

pub(crate) mod arrange;
pub(crate) mod pad_mode;

pub(crate) mod convert;
mod from;

pub(crate) mod equality;

pub(crate) mod display;
pub(crate) mod inferred;
pub(crate) mod literal;
mod no_sum;
mod ordering;
pub(crate) mod positions;
pub(crate) mod sequence;
mod whole_answer;

use core::marker::PhantomData;

pub use arrange::Padding;
pub use collect::Collected;
pub use convert::PromoteUnsafe;
pub use element_from::{DTypeFrom, ElementFrom};
pub use equality::{Comparand, Equals, WholeTensor};
pub use fits_f64::FitsF64;
pub use from::{Keeps, Makes, OfOneNumber, Target, TargetTensor, Wider};
pub use index::ElementIndex;
pub use indices::{IndexArray, Indices, IndicesOf};
pub use inferred::{Inferred, InferredTensor, IsElement};
pub use iterate::AxisIter;
pub use list::{JoinTensors, ListedTensor, StackTensors, TensorList};
pub use ordering::{Ordered, RightSide, TotallyOrdered};
pub use pad_mode::PadMode;
pub use positions::{NewShape, Positions};
pub use slice_axes::{AxisPart, AxisSlice, AxisSlices, Ellipsis, NewAxis, Step};
pub use view_mut::{AxisIterMut, TensorViewMut, ViewedElements};
pub use whole_answer::{ElementOfLoop, FallibleAnswer, NumberToPower, WholeAnswer};

use crate::array::Array;
use crate::dtype::{DType, StaticDType};
pub(crate) use crate::exec::or_panic;
use crate::rank::{AnyRank, Rank};
use crate::rules::{Jax, Rules};

/// A tensor whose dtype `D`, rank `N` and promotion rules `R` the compiler knows; sizes are known at
/// run time.
///
/// Tensors share their elements and copy them on write: a clone and a view copy no elements.
///
/// The methods are listed in this order: [construction](#construction), [shape and dtype](#shape-and-dtype),
/// [elements](#elements), [parts and shapes](#parts-and-shapes), [splitting](#splitting), [conversion](#conversion),
/// [arithmetic](#arithmetic), [comparisons](#comparisons), [functions](#functions), [elements at
/// positions](#elements-at-positions), [sorting](#sorting), [reductions](#reductions), [matrix products](#matrix-products),
/// [softmax](#softmax) and other operations of networks, [joining](#joining), files, other libraries and random numbers.
///
/// ```
/// use supremum::{BF16, F16, F32, Rank2, Tensor, tensor};
/// let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let bias: Tensor<F16, Rank2> = tensor![[0.5, 0.25]];
/// let sum: Tensor<F32, Rank2> = &weights + &bias; // bf16 and f16 promote to f32
/// assert_eq!(sum.to_vec(), [1.5, 2.25, 3.5, 4.25]);
/// ```
#[rustfmt::skip] // The compiler quotes the first line, with its comment, where the type has no dtype.
pub struct Tensor<D, N = AnyRank, R = Jax> { // e.g. `Tensor<F32, Rank2>`, not `Tensor<D>` as `help` says: `D` stands for a dtype
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

    /// [`Self::from_array`] without its bounds, for functions that leave them to the types of their arguments.
    fn wrap(array: Array) -> Self {
        Self {
            array,
            types: PhantomData,
        }
    }
}

/// Asserts in debug builds that the array has the dtype and rank of a type.
#[inline]
fn debug_assert_types(array: &Array, dtype: DType, rank: Option<usize>) {
    debug_assert_eq!(array.dtype(), dtype);
    debug_assert!(rank.is_none_or(|rank| rank == array.rank()));
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Wraps an array that has the dtype and rank of the type.
    pub(crate) fn from_array(array: Array) -> Self {
        debug_assert_types(&array, D::DTYPE, N::RANK);
        Self::wrap(array)
    }

    /// The erased array for writing. It may be replaced only by one of the same dtype and shape.
    pub(crate) fn array_mut(&mut self) -> &mut Array {
        &mut self.array
    }

    /// The erased array.
    pub(crate) fn into_array(self) -> Array {
        self.array
    }
}
