//! Operations that give parts of a tensor, or arrange its elements anew: `split`, `roll`, `repeat`, `tile`,
//! `pad` and the like. `view.rs` has those that return one tensor and take no type of their own.

use super::positions::{axis_of, repeated_axis, two_axes_of};
use super::{ElementFrom, Tensor, or_panic};
use crate::array::{Array, Dims, PerAxis, ScalarBits, UNNAMED, element_count};
use crate::dtype::StaticDType;
use crate::error::{Error, check_axes, named};
use crate::exec;
use crate::rank::{Axis, AxisNumbers, IntoShape, Offset, Rank, RemoveAxis};
use crate::rules::Rules;

/// Collects the parts of a tensor. A view can have more of them than memory holds.
fn collect(
    parts: impl ExactSizeIterator<Item = Result<Array, Error>>,
) -> Result<Vec<Array>, Error> {
    let mut all = crate::array::alloc::vec_with_capacity(parts.len())?;
    for part in parts {
        all.push(part?);
    }
    Ok(all)
}

/// Parts of these sizes along an axis, one after the other.
fn parts(
    x: &Array,
    sizes: impl ExactSizeIterator<Item = usize>,
    axis: usize,
) -> Result<Vec<Array>, Error> {
    let mut start = 0;
    collect(sizes.map(|size| {
        let end = start + size.cast_signed();
        let part = exec::slice(x, axis, start, end, 1);
        start = end;
        part
    }))
}

/// [`Tensor::try_split`] of arrays.
pub(crate) fn split(x: &Array, sizes: &[usize], given: isize) -> Result<Vec<Array>, Error> {
    let axis = axis_of("split", given, x.rank())?;
    let size = x.shape()[axis];
    let sum = sizes
        .iter()
        .try_fold(0_usize, |sum, size| sum.checked_add(*size));
    if sum != Some(size) {
        return Err(Error::SplitSizes {
            sizes: sizes.to_vec(),
            axis: given,
            size,
        });
    }
    parts(x, sizes.iter().copied(), axis)
}

/// [`Tensor::try_chunk`] of arrays.
pub(crate) fn chunk(x: &Array, count: usize, given: isize) -> Result<Vec<Array>, Error> {
    let axis = axis_of("chunk", given, x.rank())?;
    let size = x.shape()[axis];
    if count == 0 {
        return Err(Error::NoChunks { axis: given, size });
    }
    let most = size.div_ceil(count);
    if most == 0 {
        // So many parts of nothing.
        return Ok(crate::array::alloc::vec_filled(x.clone(), count)?);
    }
    let starts = (0..size).step_by(most);
    parts(x, starts.map(|start| most.min(size - start)), axis)
}

/// [`Tensor::try_unstack`] of arrays.
pub(crate) fn unstack(x: &Array, axis: isize) -> Result<Vec<Array>, Error> {
    let axis = axis_of("unstack", axis, x.rank())?;
    let positions = 0..x.shape()[axis];
    collect(positions.map(|position| exec::index_axis(x, axis, position)))
}

/// [`Tensor::try_flip`] of arrays.
pub(crate) fn flip(x: &Array, axes: &AxisNumbers) -> Result<Array, Error> {
    let operation = "flip";
    exec::require_current(operation, x)?;
    let rank = x.rank();
    let Some(axes) = axes.as_slice() else {
        return (0..rank).try_fold(x.clone(), |x, axis| exec::flip(&x, axis));
    };
    let mut is_reversed = PerAxis::filled(false, rank)?;
    let mut numbers = axes.iter().enumerate();
    numbers.try_fold(x.clone(), |x, (position, number)| {
        let axis = axis_of(operation, *number, rank)?;
        if core::mem::replace(&mut is_reversed[axis], true) {
            return Err(repeated_axis(operation, axis, &axes[..=position], rank));
        }
        exec::flip(&x, axis)
    })
}

/// [`Tensor::try_diagonal`] of arrays.
pub(crate) fn diagonal(
    x: &Array,
    offset: isize,
    first: isize,
    second: isize,
) -> Result<Array, Error> {
    let axes = two_axes_of("diagonal", [first, second], x.rank())?;
    exec::diagonal(x, offset, axes)
}

/// [`Tensor::try_roll`] of arrays.
pub(crate) fn roll(x: &Array, shift: impl Offset, axis: isize) -> Result<Array, Error> {
    let axis = axis_of("roll", axis, x.rank())?;
    rolled(x, shift.modulo(x.shape()[axis]), axis)
}

/// [`roll`] by a shift that is less than the size of the axis.
fn rolled(x: &Array, shift: usize, axis: usize) -> Result<Array, Error> {
    let (size, moved) = (x.shape()[axis].cast_signed(), shift.cast_signed());
    if moved == 0 {
        exec::require_current("roll", x)?;
        return Ok(x.clone());
    }
    let back = exec::slice(x, axis, size - moved, size, 1)?;
    let front = exec::slice(x, axis, 0, size - moved, 1)?;
    exec::concat(&[&back, &front], axis, x.dtype())
}

/// [`Tensor::try_rot90`] of arrays, by at most three quarter turns.
pub(crate) fn rot90(x: &Array, turns: usize, first: isize, second: isize) -> Result<Array, Error> {
    let operation = "rot90";
    let rank = x.rank();
    let [first, second] = two_axes_of(operation, [first, second], rank)?;
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(first, second);
    match turns {
        0 => Ok(x.clone()),
        1 => exec::permute(&exec::flip(x, second)?, &order),
        2 => exec::flip(&exec::flip(x, first)?, second),
        _ => exec::flip(&exec::permute(x, &order)?, second),
    }
}

/// [`Tensor::try_unfold`] of arrays.
pub(crate) fn unfold(x: &Array, given: isize, size: usize, step: usize) -> Result<Array, Error> {
    let operation = "unfold";
    let axis = axis_of(operation, given, x.rank())?;
    for (what, number) in [("size", size), ("stride", step)] {
        if number == 0 {
            return Err(Error::ZeroWindow {
                operation,
                what,
                axis: given,
            });
        }
    }
    if size > x.shape()[axis] {
        return Err(Error::WindowTooLarge {
            operation,
            window: size,
            axis: given,
            size: x.shape()[axis],
            padded: false,
        });
    }
    exec::windows(x, axis, size, step)
}

/// [`Tensor::try_repeat`] of arrays.
pub(crate) fn repeat(x: &Array, count: usize, axis: isize) -> Result<Array, Error> {
    let axis = axis_of("repeat", axis, x.rank())?;
    let mut shape = *x.dims();
    shape[axis] = shape[axis].saturating_mul(count);
    // Each position of the axis is repeated: the new axis comes behind it.
    let before: usize = x.shape()[..=axis].iter().product();
    let row = x.len().checked_div(before).unwrap_or(0);
    let is_vector = before == x.shape()[axis];
    let is_short = row > 1 && row * x.dtype().size() <= SHORT_ROW;
    if exec::is_tracing() || is_vector || !is_short {
        return repeated(x, before, count, &shape);
    }
    element_count(UNNAMED, &shape)?;
    let position = |at: usize| i64::try_from(at / count).unwrap_or(i64::MAX); // without a call if `count` is zero
    let positions = Array::from_positions(&[shape[axis]], position)?;
    exec::take(x, &positions, axis)
}

/// The largest number of bytes of several elements behind a position of the axis for which `repeat` takes elements by their positions: rows
/// of three bytes are copied ten times as fast as in the copy of a broadcast view, which walks them as axes of their own.
const SHORT_ROW: usize = 128;

/// [`Tensor::try_tile`] of arrays.
pub(crate) fn tile(x: &Array, counts: &[usize]) -> Result<Array, Error> {
    named("tile", tiled(x, counts))
}

fn tiled(x: &Array, counts: &[usize]) -> Result<Array, Error> {
    if counts.len() != x.rank() {
        return Err(Error::LengthMismatch {
            operation: "tile",
            what: "counts, one for each axis",
            expected: x.rank(),
            found: counts.len(),
        });
    }
    exec::require_current("tile", x)?;
    let mut shape = *x.dims();
    for (size, count) in shape.iter_mut().zip(counts) {
        *size = size.saturating_mul(*count);
    }
    element_count(UNNAMED, &shape)?;
    let (mut tiled, mut so_far) = (x.clone(), *x.dims());
    for (axis, count) in counts.iter().enumerate() {
        so_far[axis] = shape[axis];
        if *count != 1 {
            // The whole axis is repeated: the new axis comes before it.
            let before = so_far[..axis].iter().product();
            tiled = repeated(&tiled, before, *count, &so_far)?;
        }
    }
    Ok(tiled)
}

/// [`Tensor::try_diag`] of arrays.
pub(crate) fn diag(x: &Array, offset: isize) -> Result<Array, Error> {
    match x.rank() {
        1 => diag_embed(x, offset),
        _ => Err(Error::NotAVector {
            shape: x.shape().to_vec(),
        }),
    }
}

/// [`Tensor::try_diag_embed`] of arrays.
pub(crate) fn diag_embed(x: &Array, offset: isize) -> Result<Array, Error> {
    check_axes("diag_embed", 1, x.shape())?;
    let axis = x.rank() - 1;
    let count = x.shape()[axis];
    let size = count.saturating_add(offset.unsigned_abs());
    let mut shape = x.dims().inserted(axis + 1, size)?;
    shape[axis] = size;
    element_count(UNNAMED, &shape)?;
    // Each element and `size` zeros after it: in rows of `size` elements it is one column further than the one before. Whole groups of
    // zeros stand before the first element and after the last one, so that one operation writes all zeros.
    let group = size + 1;
    let first = match offset < 0 {
        true => offset.unsigned_abs() * size,
        false => offset.unsigned_abs(),
    };
    let before = first.div_ceil(group);
    let skipped = before * group - first;
    let groups = (skipped + size * size).div_ceil(group).max(before + count);
    let zero = ScalarBits::of(x.dtype(), 0.0);
    let mut padding = shape.map(|_| [0, 0]);
    padding[axis] = [before, groups - before - count];
    padding[axis + 1] = [0, size];
    let spread = exec::pad(&exec::unsqueeze(x, axis + 1)?, &padding, zero)?;
    let mut flat = *x.dims();
    flat[axis] = groups * group;
    let spread = exec::reshape(&spread, &flat)?;
    let [start, end] = [skipped, skipped + size * size].map(usize::cast_signed);
    exec::reshape(&exec::slice(&spread, axis, start, end, 1)?, &shape)
}

/// Repeats along a new axis behind axes of so many positions, and gives the result a shape. With three axes in between,
/// arrays of any rank can be repeated.
fn repeated(x: &Array, before: usize, count: usize, shape: &Dims) -> Result<Array, Error> {
    element_count(UNNAMED, shape)?;
    let behind = x.len().checked_div(before).unwrap_or(0);
    let x = exec::reshape(x, &[before, 1, behind])?;
    let x = exec::broadcast_to(&x, &[before, count, behind])?;
    exec::reshape(&x, shape)
}

/// Writes each method and its fallible form, which return several tensors.
macro_rules! several {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        errors $errors:literal
        fn $name:ident, $try_name:ident $([$result:ident: Rank])? (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        $(where $left:ty: $right:path)?
        { $body:expr } { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Splitting
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name $(<$result: Rank>)? (&self $(, $argument: $type)*) -> Vec<$output> $(where $left: $right)? {
                or_panic(self.$try_name($($argument),*))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_name $(<$result: Rank>)? (&$self $(, $argument: $type)*) -> Result<Vec<$output>, Error> $(where $left: $right)? {
                let parts: Vec<Array> = $body?;
                Ok(parts.into_iter().map(Tensor::from_array).collect())
            }
        )*}
    }};
}

/// The list of operations that return several tensors, in the form of `each_view!`.
macro_rules! each_split {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Splits the tensor along an axis into views of these sizes, as PyTorch's and TensorFlow's `split` with a
            /// list. (NumPy's `split` takes the positions between the parts instead.)
            errors "[`Error::AxisOutOfRange`]; [`Error::SplitSizes`] if the sizes do not add up to that of the axis."
            fn split, try_split( // by sizes `split(&[2, 2, 2], 0)`, in 3 equal parts `chunk(3, 0)`, whatever `help` says
                &self, sizes: &[usize], axis: impl Axis
            ) -> Tensor<D, N, R> {
                arrange::split(self.array(), sizes, axis.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![[1, 2, 3], [4, 5, 6]];
                /// let parts = t.split(&[1, 2], 1);
                /// assert_eq!(parts[0].to_vec(), [1, 4]);
                /// assert_eq!(parts[1].to_vec(), [2, 3, 5, 6]);
                /// ```
            }

            /// Splits the tensor along an axis into `count` views of equal size, as PyTorch's `chunk`. The size of each
            /// is that of the axis divided by `count`, rounded up; the last view may be smaller, and there may be fewer
            /// than `count`. An axis of size zero gives `count` views without elements.
            errors "[`Error::AxisOutOfRange`]; [`Error::NoChunks`] if `count` is zero."
            fn chunk, try_chunk(&self, count: usize, axis: impl Axis) -> Tensor<D, N, R> {
                arrange::chunk(self.array(), count, axis.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3, 4, 5];
                /// let sizes: Vec<_> = t.chunk(3, 0).iter().map(Tensor::len).collect();
                /// assert_eq!(sizes, [2, 2, 1]);
                /// ```
            }

            /// Returns a view of each position of an axis, without that axis, as the Array API's `unstack` and PyTorch's
            /// `unbind`. It is the reverse of [`stack`](crate::stack()).
            errors "[`Error::AxisOutOfRange`]."
            fn unstack, try_unstack [M: Rank] (&self, axis: impl Axis) -> Tensor<D, M, R> where N: RemoveAxis<Output = M> {
                arrange::unstack(self.array(), axis.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
                /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
                /// let columns: Vec<Tensor<I32, Rank1>> = t.unstack(1);
                /// assert_eq!(columns[2].to_vec(), [3, 6]);
                /// ```
            }
        }
    };
}

pub(crate) use each_split;

use super::arrange;

each_split!(several! here);

/// # Repeat and pad
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Repeats the whole tensor along each axis as often as `counts` says, as NumPy's and the Array API's `tile` with a
    /// number for each axis. (PyTorch's `repeat` is the same.) The elements are copied. [`Self::repeat`] repeats each
    /// element.
    ///
    /// # Panics
    /// With the text of [`Self::try_tile`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 2]];
    /// assert_eq!(t.tile([2, 2]).to_vec(), [1, 2, 1, 2, 1, 2, 1, 2]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn tile(&self, counts: impl IntoShape<N>) -> Self { // `tile([2, 3])`, not as `help` says
        or_panic(self.try_tile(counts))
    }

    /// [`Self::tile`], fallible.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not a number for each axis; [`Error::ShapeTooLarge`];
    /// [`Error::OutOfMemory`].
    pub fn try_tile(&self, counts: impl IntoShape<N>) -> Result<Self, Error> {
        tile(self.array(), counts.as_ref()).map(Self::from_array)
    }

    /// Adds `[before, after]` positions to each axis, filled with a value, as NumPy's `pad` with a constant. The value is given as to
    /// [`Self::full`].
    ///
    /// # Panics
    /// With the text of [`Self::try_pad`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 2]];
    /// let padded = t.pad([[1, 0], [0, 2]], -1);
    /// assert_eq!(padded.shape(), [2, 4]);
    /// assert_eq!(padded.to_vec(), [-1, -1, -1, -1, 1, 2, -1, -1]);
    /// ```
    #[track_caller]
    pub fn pad<E>(&self, padding: impl Padding, value: E) -> Self
    where
        D::Element: ElementFrom<E>,
    {
        or_panic(self.try_pad(padding, value))
    }

    /// [`Self::pad`], fallible.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not a pair for each axis; [`Error::ShapeTooLarge`];
    /// [`Error::LiteralOutOfRange`] for a number that the dtype does not have; [`Error::OutOfMemory`].
    pub fn try_pad<E>(&self, padding: impl Padding, value: E) -> Result<Self, Error>
    where
        D::Element: ElementFrom<E>,
    {
        let value =
            <D::Element as ElementFrom<E>>::FROM("pad", value, || R::RULE_SET.literal_policy())?;
        exec::pad(self.array(), padding.as_ref(), ScalarBits::new(value)).map(Self::from_array)
    }
}

/// The sizes to add before and after the elements of each axis: an array, slice or `Vec` of `[usize; 2]`.
///
/// ```
/// use supremum::{Padding, Rank1, Tensor, I32, tensor};
/// fn pad_by(padding: impl Padding) -> Tensor<I32, Rank1> {
///     let t: Tensor<I32, Rank1> = tensor![1, 2];
///     t.pad(padding, 0)
/// }
/// assert_eq!(pad_by([[1, 0]]).to_vec(), [0, 1, 2]);
/// assert_eq!(pad_by(vec![[0, 1]]).to_vec(), [1, 2, 0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a padding",
    label = "not two sizes for each axis",
    note = "write the sizes before and after for each axis, and the element to pad with: of two axes `.pad([[0, 0], [1, 2]], 0.0)`"
)]
pub trait Padding: AsRef<[[usize; 2]]> {}

#[diagnostic::do_not_recommend]
impl<T: AsRef<[[usize; 2]]>> Padding for T {}
