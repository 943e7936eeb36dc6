//! Views: the same elements in other shapes and orders, without copying them.

use super::arrange::Padding;
use super::pad_mode::{self, PadMode};
use super::positions::{NewShape, Positions, along, axis_of, reshaped, sliced};
use super::slice_axes::{AxisSlices, at_position, sliced_axes};
use super::{Tensor, arrange, or_panic};
use crate::array::Array;
use crate::dtype::{RealDType, StaticDType};
use crate::error::{Error, check_axes, named};
use crate::exec;
use crate::kernel::{SortOrder, Triangle};
use crate::rank::{
    AddAxis, Axes, Axis, AxisOrder, DiagonalRank, Extent, Offset, Rank, RemoveAxis, Shape, SizeList,
};
use crate::rules::Rules;

/// Writes each method and its fallible form.
macro_rules! views {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        errors $errors:literal
        fn $name:ident, $try_name:ident $(<$($generic:ident: $bound:path),+>)? $([$result:ident: Rank])? (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        $(where $($left:ty: $right:path),+)?
        { $body:expr } { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Parts and shapes
        ///
        /// These are views: they share the elements of the tensor and copy none (except [`reshape`](Self::reshape), if it must).
        /// An axis counts from the end if it is negative.
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
            $(
                $(#[doc = $doc])+
                ///
                /// # Panics
                #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
                ///
                $(#[doc = $example])*
                #[track_caller]
                pub fn $name $(<$($generic: $bound),+>)? $(<$result: Rank>)? (&self $(, $argument: $type)*) -> $output
                $(where $($left: $right),+)?
                {
                    or_panic(self.$try_name($($argument),*))
                }

                #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
                ///
                /// # Errors
                #[doc = $errors]
                pub fn $try_name $(<$($generic: $bound),+>)? $(<$result: Rank>)? (&$self $(, $argument: $type)*) -> Result<$output, Error>
                $(where $($left: $right),+)?
                {
                    let made: Result<Array, Error> = $body;
                    named(stringify!($name), made.map(Tensor::from_array))
                }
            )*
        }
    }};
}

/// The list of views, and of operations that keep the dtype, such as `sort`: calls a macro with its own arguments, then
/// all entries. An entry has the documentation, the errors, the names and signature for [`Tensor`], an expression for the array,
/// and an example. `self` has `array()` and `ndim()`.
macro_rules! each_view {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Returns the same elements in another shape, in row-major order. Copies them only if no strides express
            /// that. One size may be `-1`: the number of elements determines it. Beside a `usize` write a tuple, `(n, -1)`: an array has sizes
            /// of one type, and `usize` has no `-1`.
            errors "[`Error::Reshape`] if the number of elements differs, or no size fits for `-1`; [`Error::OutOfMemory`] if it copies."
            fn reshape, try_reshape<S: NewShape>(&self, shape: S) -> Tensor<D, S::Rank, R> { // `reshape([3, 2])`, whatever `help` says
                reshaped(self.array(), &shape)
            } {
                /// ```
                /// use supremum::{I32, Rank1, Rank2, Tensor};
                /// let t = Tensor::<I32, Rank1>::arange(0.0, 6.0, 1.0);
                /// let matrix: Tensor<I32, Rank2> = t.reshape([2, 3]);
                /// assert_eq!(matrix.get(&[1, 0]), Some(3));
                /// assert_eq!(t.reshape([-1, 3]), matrix);
                /// let rows = matrix.shape()[0];
                /// assert_eq!(t.reshape((rows, -1)), matrix);
                /// assert!(t.try_reshape([4, 2]).is_err() && t.try_reshape([4, -1]).is_err());
                /// ```
            }

            /// Permutes the axes: axis `i` of the result is axis `order[i]` of this tensor, as in NumPy's `transpose`.
            errors "[`Error::NotAPermutation`] if `order` is not a permutation of the axes."
            fn permute, try_permute<O: AxisOrder>(&self, order: O) -> Tensor<D, N, R> { // `permute([1, 0])`, not as `help` says
                permuted(self.array(), &order)
            } {
                /// ```
                /// use supremum::{Rank3, Tensor, U8};
                /// let image = Tensor::<U8, Rank3>::zeros([480, 640, 3]); // rows, columns, channels
                /// assert_eq!(image.permute([2, 0, 1]).shape(), [3, 480, 640]);
                /// assert_eq!(image.permute([-1, 0, 1]).shape(), [3, 480, 640]);
                /// ```
            }

            /// Returns the elements along an axis from `range.start` to before `range.end`. Negative bounds
            /// count from the end. Bounds outside the axis are errors; they are not clipped. (Clippy's
            /// `reversed_empty_ranges` takes a range such as `1..-1` for an empty one.)
            errors "[`Error::AxisOutOfRange`], [`Error::SliceOutOfRange`]."
            fn slice, try_slice<B: Positions>( // `slice(0, 1..)`; of several axes `slice_axes(s![.., 1..])`, not as `help` says
                &self, axis: impl Axis, range: B
            ) -> Tensor<D, N, R> {
                sliced("slice", self.array(), axis.to_signed(), range.bounds(), 1)
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![[1, 2, 3], [4, 5, 6]];
                /// assert_eq!(t.slice(1, 1..).to_vec(), [2, 3, 5, 6]);
                /// assert_eq!(t.slice(1, ..-1).to_vec(), [1, 2, 4, 5]);
                /// ```
            }

            /// Returns every `step`-th element of a range along an axis, starting with the first. A negative step
            /// starts with the last and goes backwards.
            errors "[`Error::AxisOutOfRange`], [`Error::SliceOutOfRange`], [`Error::ZeroStep`]."
            fn slice_step, try_slice_step<B: Positions>(&self, axis: impl Axis, range: B, step: impl Offset) -> Tensor<D, N, R> {
                sliced("slice_step", self.array(), axis.to_signed(), range.bounds(), step.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3, 4, 5];
                /// assert_eq!(t.slice_step(0, .., 2).to_vec(), [1, 3, 5]);
                /// assert_eq!(t.slice_step(0, 1.., -2).to_vec(), [5, 3]);
                /// ```
            }

            /// Returns the part at one position of an axis, without that axis. Negative positions count from the end.
            errors "[`Error::AxisOutOfRange`], [`Error::IndexOutOfRange`]."
            fn index_axis, try_index_axis [M: Rank] ( // row 1 is `index_axis(0, 1)`, element 1 `t[[0, 1]]`
                &self, axis: impl Axis, position: impl Extent
            ) -> Tensor<D, M, R> where N: RemoveAxis<Output = M> {
                along("index_axis", axis.to_signed(), self.ndim(), |axis| at_position("index_axis", self.array(), axis, position.to_wide()))
            } {
                /// ```
                /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
                /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
                /// let column: Tensor<I32, Rank1> = t.index_axis(1, 2);
                /// assert_eq!(column.to_vec(), [3, 6]);
                /// assert_eq!(t.index_axis(0, -1).to_vec(), [4, 5, 6]);
                /// ```
            }

            /// Repeats the elements along new leading axes and along axes of size one, as operators do by themselves.
            errors "[`Error::ShapeMismatch`] if the shape does not broadcast to this one."
            fn broadcast_to, try_broadcast_to<S: Shape>( // `broadcast_to([2, 3])`, whatever `help` says
                &self, shape: S
            ) -> Tensor<D, S::Rank, R> {
                exec::broadcast_to(self.array(), shape.as_ref())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let row: Tensor<I32> = tensor![1, 2];
                /// assert_eq!(row.broadcast_to([2, 2]).to_vec(), [1, 2, 1, 2]);
                /// ```
            }

            /// Removes an axis of size one.
            errors "[`Error::AxisOutOfRange`]; [`Error::AxisSize`] if the axis has another size."
            fn squeeze, try_squeeze [M: Rank] (&self, axis: impl Axis) -> Tensor<D, M, R> where N: RemoveAxis<Output = M> {
                along("squeeze", axis.to_signed(), self.ndim(), |axis| exec::squeeze(self.array(), axis))
            } {}

            /// Inserts an axis of size one before `axis` (counted from the end if negative: -1 appends it).
            errors "[`Error::AxisOutOfRange`]; [`Error::RankTooLarge`] above rank 8."
            fn unsqueeze, try_unsqueeze [M: Rank] (&self, axis: impl Axis) -> Tensor<D, M, R> where N: AddAxis<Output = M> {
                axis_of("unsqueeze", axis, self.ndim() + 1).and_then(|axis| exec::unsqueeze(self.array(), axis))
            } {
                /// ```
                /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
                /// let row: Tensor<I32, Rank1> = tensor![1, 2];
                /// let column: Tensor<I32, Rank2> = row.unsqueeze(-1);
                /// assert_eq!(column.shape(), [2, 1]);
                /// ```
            }

            /// Reverses the elements along an axis, several axes or all (`..`), as NumPy's, PyTorch's and the Array API's `flip`.
            errors "[`Error::AxisOutOfRange`]; [`Error::RepeatedAxis`]."
            fn flip, try_flip(&self, axes: impl Axes) -> Tensor<D, N, R> { // of several axes `flip([0, 1])`, not as `help` says
                arrange::flip(self.array(), &axes.numbers())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
                /// assert_eq!(t.flip(0).to_vec(), [3, 4, 1, 2]);
                /// assert_eq!(t.flip([0, 1]).to_vec(), [4, 3, 2, 1]);
                /// assert_eq!(t.flip(..), t.flip([0, 1]));
                /// ```
            }

            /// Returns a diagonal of two axes, as NumPy's and PyTorch's `diagonal`. It becomes the last axis of the
            /// view, in place of the two. The diagonal begins `offset` positions to the right of the main one, or below
            /// it if `offset` is negative. A diagonal outside the matrix has no elements. The sum of a diagonal is the
            /// trace.
            errors "[`Error::AxisOutOfRange`]; [`Error::RepeatedAxis`] if both axes are the same."
            fn diagonal, try_diagonal [M: Rank] (&self, offset: impl Offset, first: impl Axis, second: impl Axis) -> Tensor<D, M, R> where N: RemoveAxis<Output = M> {
                arrange::diagonal(self.array(), offset.to_signed(), first.to_signed(), second.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
                /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
                /// let main: Tensor<I32, Rank1> = t.diagonal(0, 0, 1);
                /// assert_eq!(main.to_vec(), [1, 5]);
                /// assert_eq!(t.diagonal(1, 0, 1).to_vec(), [2, 6]);
                /// assert_eq!(t.diagonal(-1, 0, 1).to_vec(), [4]);
                /// assert_eq!(main.sum().item(), Ok(6_i64)); // the trace
                /// ```
            }

            /// Turns the plane of two axes by quarter turns, from the first axis towards the second, as NumPy's and PyTorch's `rot90`. A
            /// negative number turns it back.
            errors "[`Error::AxisOutOfRange`]; [`Error::RepeatedAxis`] if both axes are the same."
            fn rot90, try_rot90(&self, turns: impl Offset, first: impl Axis, second: impl Axis) -> Tensor<D, N, R> { // of a matrix: `rot90(1, 0, 1)`
                arrange::rot90(self.array(), turns.modulo(4), first.to_signed(), second.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Rank2, Tensor, tensor};
                /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
                /// assert_eq!(t.rot90(1, 0, 1).to_vec(), [3, 6, 2, 5, 1, 4]);
                /// assert_eq!(t.rot90(-1, 0, 1).to_vec(), [4, 1, 5, 2, 6, 3]);
                /// ```
            }

            /// Returns windows of `size` elements along an axis, `step` apart, as PyTorch's `unfold`; with a step of one, NumPy's
            /// `sliding_window_view`. The axis counts the windows, and a new last axis has their elements. They overlap in memory, and none
            /// is copied. Elements behind the last window that fits are in none.
            errors "[`Error::AxisOutOfRange`]; [`Error::ZeroWindow`] for a size or step of zero; [`Error::WindowTooLarge`] if no window fits; [`Error::RankTooLarge`] above rank 8."
            fn unfold, try_unfold [M: Rank] (&self, axis: impl Axis, size: usize, step: usize) -> Tensor<D, M, R> where N: AddAxis<Output = M> { // each element: `unfold(axis, size, 1)`
                arrange::unfold(self.array(), axis.to_signed(), size, step)
            } {
                /// ```
                /// use supremum::{F32, Rank1, Rank2, Tensor, tensor};
                /// let t: Tensor<F32, Rank1> = tensor![1, 2, 4, 8, 16];
                /// let windows: Tensor<F32, Rank2> = t.unfold(0, 3, 1);
                /// assert_eq!(windows.to_vec(), [1.0, 2.0, 4.0, 2.0, 4.0, 8.0, 4.0, 8.0, 16.0]);
                /// assert_eq!(windows.sum_axis(1).to_vec(), [7.0, 14.0, 28.0]); // moving sums
                /// assert_eq!(t.unfold(0, 2, 2).to_vec(), [1.0, 2.0, 4.0, 8.0]);
                /// ```
            }

            /// Keeps the elements at and below a diagonal of the last two axes, and replaces the others by zeros
            /// (`false`), as NumPy's and the Array API's `tril`. The diagonal begins `offset` positions to the right of
            /// the main one. The elements are copied. A tensor of rank 1, which NumPy repeats as the rows of a matrix, is an error.
            errors "[`Error::TooFewAxes`] below rank 2; [`Error::OutOfMemory`]."
            fn tril, try_tril(&self, offset: impl Offset) -> Tensor<D, N, R> where N: RemoveAxis<Output: RemoveAxis> {
                exec::triangle(Triangle::Lower, self.array(), offset.to_signed())
            } {
                /// ```
                /// use supremum::{Bool, Rank2, Tensor};
                /// let causal = Tensor::<Bool, Rank2>::ones([2, 3]).tril(0);
                /// assert_eq!(causal.to_vec(), [true, false, false, true, true, false]);
                /// ```
            }

            /// Keeps the elements at and above a diagonal of the last two axes, and replaces the others by zeros (`false`), as
            /// NumPy's and the Array API's `triu`; see [`Self::try_tril`].
            errors "The errors of [`Self::try_tril`]."
            fn triu, try_triu(&self, offset: impl Offset) -> Tensor<D, N, R> where N: RemoveAxis<Output: RemoveAxis> {
                exec::triangle(Triangle::Upper, self.array(), offset.to_signed())
            } {}

            /// Returns the matrix with the elements of a vector on a diagonal and zeros (`false`) elsewhere, as NumPy's
            /// and PyTorch's `diag` of a vector. The diagonal begins `offset` positions to the right of the main one,
            /// or below it if `offset` is negative. The matrix has that many more rows and columns than the vector has
            /// elements. `diagonal` is the reverse: NumPy's and PyTorch's `diag` of a matrix. `diag_embed` makes many
            /// matrices.
            errors "[`Error::NotAVector`] of a tensor of any rank that is no vector; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`]."
            fn diag, try_diag [M: Rank] (&self, offset: impl Offset) -> Tensor<D, M, R> where N: AddAxis<Output = M>, N: DiagonalRank {
                arrange::diag(self.array(), offset.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
                /// let t: Tensor<I32, Rank1> = tensor![1, 2];
                /// let matrix: Tensor<I32, Rank2> = t.diag(0);
                /// assert_eq!(matrix.to_vec(), [1, 0, 0, 2]);
                /// assert_eq!(t.diag(1).to_vec(), [0, 1, 0, 0, 0, 2, 0, 0, 0]);
                /// assert_eq!(matrix.diagonal(0, 0, 1), t);
                /// ```
            }

            /// Returns matrices with the elements of the last axis on a diagonal and zeros (`false`) elsewhere, as PyTorch's `diag_embed`:
            /// the shape `[b, n]` gives `b` matrices of `n` rows and columns. `offset` is that of `diag`. `diagonal(offset, -2, -1)` is
            /// the reverse.
            errors "[`Error::TooFewAxes`] at rank 0; [`Error::RankTooLarge`] above rank 8; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`]."
            fn diag_embed, try_diag_embed [M: Rank] (&self, offset: impl Offset) -> Tensor<D, M, R> where N: AddAxis<Output = M>, N: RemoveAxis {
                arrange::diag_embed(self.array(), offset.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Rank2, Rank3, Tensor, tensor};
                /// let t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
                /// let matrices: Tensor<I32, Rank3> = t.diag_embed(0);
                /// assert_eq!(matrices.to_vec(), [1, 0, 0, 2, 3, 0, 0, 4]);
                /// assert_eq!(matrices.diagonal(0, -2, -1), t);
                /// ```
            }

            /// Moves the elements along an axis to positions that are higher by `shift`, and those beyond the end to the
            /// start, as NumPy's and the Array API's `roll`. A negative shift moves them down. The elements are copied.
            errors "[`Error::AxisOutOfRange`]; [`Error::OutOfMemory`]."
            fn roll, try_roll(&self, shift: impl Offset, axis: impl Axis) -> Tensor<D, N, R> {
                arrange::roll(self.array(), shift, axis.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3, 4];
                /// assert_eq!(t.roll(1, 0).to_vec(), [4, 1, 2, 3]);
                /// assert_eq!(t.roll(-1, 0).to_vec(), [2, 3, 4, 1]);
                /// ```
            }

            /// Repeats each position of an axis `count` times, one after the other, as NumPy's and the Array API's `repeat`
            /// and PyTorch's `repeat_interleave`. The elements are copied. `tile` repeats the whole axis.
            errors "[`Error::AxisOutOfRange`]; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`]."
            fn repeat, try_repeat(&self, count: usize, axis: impl Axis) -> Tensor<D, N, R> {
                arrange::repeat(self.array(), count, axis.to_signed())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2];
                /// assert_eq!(t.repeat(2, 0).to_vec(), [1, 1, 2, 2]);
                /// ```
            }

            /// Repeats each position of an axis as often as its count says, as NumPy's `repeat` and PyTorch's `repeat_interleave` with
            /// counts. The elements are copied.
            errors "[`Error::AxisOutOfRange`]; [`Error::SizeMismatch`] if there is not a count for each position; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`]."
            fn repeat_each, try_repeat_each<C: SizeList>(&self, counts: C, axis: impl Axis) -> Tensor<D, N, R> { // equal counts: `repeat`
                pad_mode::repeat_each(self.array(), counts.as_ref(), axis)
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![[1, 2], [3, 4], [5, 6]];
                /// assert_eq!(t.repeat_each([1, 0, 2], 0).to_vec(), [1, 2, 5, 6, 5, 6]);
                /// ```
            }

            /// Adds `[before, after]` positions to each axis, filled with elements of the tensor as the mode says: NumPy's and JAX's `pad`
            /// with `mode`. They may be more than the axis has elements. (PyTorch refuses these.) `pad` fills them with a value. The
            /// elements are copied.
            errors "[`Error::LengthMismatch`] if there is not a pair for each axis; [`Error::EmptyAxis`] if an axis to pad has no elements; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`]."
            fn pad_with, try_pad_with<P: Padding>(&self, padding: P, mode: PadMode) -> Tensor<D, N, R> {
                pad_mode::pad_with(self.array(), padding.as_ref(), mode)
            } {
                /// ```
                /// use supremum::{I32, PadMode, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3];
                /// assert_eq!(t.pad_with([[2, 2]], PadMode::Edge).to_vec(), [1, 1, 1, 2, 3, 3, 3]);
                /// assert_eq!(t.pad_with([[2, 2]], PadMode::Reflect).to_vec(), [3, 2, 1, 2, 3, 2, 1]);
                /// assert_eq!(t.pad_with([[2, 2]], PadMode::Symmetric).to_vec(), [2, 1, 1, 2, 3, 3, 2]);
                /// assert_eq!(t.pad_with([[2, 2]], PadMode::Wrap).to_vec(), [2, 3, 1, 2, 3, 1, 2]);
                /// ```
            }

            /// Sorts the elements along an axis in ascending order, as NumPy's, JAX's and the Array API's `sort`. NaN
            /// are last. Equal elements keep their order, and so do -0 and +0. The elements are copied.
            errors "[`Error::UnsupportedDType`] of complex numbers, which have no order; [`Error::AxisOutOfRange`]; [`Error::OutOfMemory`]."
            fn sort, try_sort( // `sort_descending(0)` reverses the order; `help` does not
                &self, axis: impl Axis
            ) -> Tensor<D, N, R> where D: RealDType {
                axis_of("sort", axis, self.ndim()).and_then(|axis| exec::sort(self.array(), axis, SortOrder::Ascending))
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![[2.0, f32::NAN, -1.0], [0.5, 3.0, 0.25]];
                /// assert_eq!(t.sort(1).slice(1, ..2).to_vec(), [-1.0, 2.0, 0.25, 0.5]);
                /// assert!(t.sort(1).get(&[0, 2]).is_some_and(f32::is_nan));
                /// assert_eq!(t.sort(0).slice(1, ..1).to_vec(), [0.5, 2.0]);
                /// ```
            }

            /// Sorts the elements along an axis in descending order; see [`Self::try_sort`]. NaN are first, as in JAX and PyTorch.
            errors "The errors of [`Self::try_sort`]."
            fn sort_descending, try_sort_descending(&self, axis: impl Axis) -> Tensor<D, N, R> where D: RealDType {
                axis_of("sort_descending", axis, self.ndim()).and_then(|axis| exec::sort(self.array(), axis, SortOrder::Descending))
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![2, 3, -1];
                /// assert_eq!(t.sort_descending(0).to_vec(), [3, 2, -1]);
                /// ```
            }

            /// Returns the tensor with its elements in row-major order in memory, so that
            /// [`as_slice`](crate::Tensor::as_slice) borrows them. If they lie so already, that is the tensor itself,
            /// and otherwise a copy. In a trace it does nothing.
            errors "[`Error::OutOfMemory`] if it copies."
            fn contiguous, try_contiguous(&self) -> Tensor<D, N, R> {
                exec::contiguous(self.array())
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
                /// let turned = t.transpose();
                /// assert_eq!(turned.as_slice(), None);
                /// assert_eq!(turned.contiguous().as_slice(), Some(&[1, 3, 2, 4][..]));
                /// ```
            }

            /// Exchanges two axes, as NumPy's `swapaxes`.
            errors "[`Error::AxisOutOfRange`]."
            fn swap_axes, try_swap_axes( // `swap_axes(0, 1)`, not as `help` says
                &self, first: impl Axis, second: impl Axis
            ) -> Tensor<D, N, R> {
                swapped("swap_axes", self.array(), first.to_signed(), second.to_signed())
            } {}

            /// Moves one axis to another position and keeps the order of the others, as NumPy's and the Array API's `moveaxis` and
            /// PyTorch's `movedim`.
            errors "[`Error::AxisOutOfRange`]."
            fn move_axis, try_move_axis(&self, from: impl Axis, to: impl Axis) -> Tensor<D, N, R> {
                moved(self.array(), from.to_signed(), to.to_signed())
            } {
                /// ```
                /// use supremum::{Rank3, Tensor, U8};
                /// let image = Tensor::<U8, Rank3>::zeros([480, 640, 3]); // rows, columns, channels
                /// assert_eq!(image.move_axis(-1, 0).shape(), [3, 480, 640]);
                /// assert_eq!(image.move_axis(0, 2).shape(), [640, 3, 480]);
                /// ```
            }

            /// Transposes each matrix of a stack: exchanges the last two axes, as the Array API's and NumPy's `matrix_transpose` and
            /// `mT`. [`transpose`](Self::transpose) reverses all axes.
            errors "[`Error::TooFewAxes`] below rank 2."
            fn matrix_transpose, try_matrix_transpose(&self) -> Tensor<D, N, R> where N: RemoveAxis<Output: RemoveAxis> {
                matrices_transposed(self.array())
            } {
                /// ```
                /// use supremum::{F32, Rank3, Tensor};
                /// let stack = Tensor::<F32, Rank3>::zeros([8, 2, 3]);
                /// assert_eq!(stack.matrix_transpose().shape(), [8, 3, 2]);
                /// assert_eq!(stack.transpose().shape(), [3, 2, 8]);
                /// ```
            }
        }
    };
}

pub(crate) use each_view;

each_view!(views! here);

/// # More shapes
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Reverses the order of the axes; of a matrix, this exchanges rows and columns.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(t.transpose().shape(), [3, 2]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has an argument.
    #[must_use]
    pub fn transpose(&self) -> Self { // of two axes `swap_axes(0, 1)`, in an order `permute([2, 0, 1])`, not as `help` says
        let order: Vec<usize> = (0..self.ndim()).rev().collect();
        self.permute(&order)
    }

    /// Returns a slice of several axes at once, as NumPy's `t[1:, ::2, 0]`: a tuple of ranges and positions, which [`s![..]`](crate::s!)
    /// writes. A position removes its axis; negative numbers count from the end; `...` stands for all axes that no part names;
    /// `NewAxis` adds an axis.
    ///
    /// # Panics
    /// With the text of [`Self::try_slice_axes`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank1, Rank2, Tensor, s, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    /// assert_eq!(t.slice_axes(s![1.., ..-1]).to_vec(), [4, 5, 7, 8]);
    /// let backwards: Tensor<I32, Rank1> = t.slice_axes(s![-1, ..;-1]);
    /// assert_eq!(backwards.to_vec(), [9, 8, 7]);
    /// let column: Tensor<I32, Rank2> = t.slice_axes(s![..., 0, NewAxis]);
    /// assert_eq!((column.shape(), column.to_vec()), (&[3, 1][..], vec![1, 4, 7]));
    /// ```
    #[must_use]
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn slice_axes<S: AxisSlices<N>>( // `slice_axes(s![0, 1..])`, not as `help` says
        &self,
        slices: S,
    ) -> Tensor<D, S::Output, R> {
        or_panic(self.try_slice_axes(slices))
    }

    /// [`Self::slice_axes`], fallible.
    ///
    /// # Errors
    /// [`Error::SliceOutOfRange`], [`Error::IndexOutOfRange`], [`Error::ZeroStep`]; of a tensor of any rank, [`Error::AxisOutOfRange`]
    /// for more slices than axes, and [`Error::RankTooLarge`] above rank 8.
    pub fn try_slice_axes<S: AxisSlices<N>>(
        &self,
        slices: S,
    ) -> Result<Tensor<D, S::Output, R>, Error> {
        sliced_axes("slice_axes", self.array(), &slices).map(Tensor::from_array)
    }

    /// Returns the elements in row-major order as a tensor of rank 1.
    #[rustfmt::skip] // As above.
    #[must_use]
    pub fn flatten(&self) -> Tensor<D, crate::rank::Rank1, R> { // `reshape((n, -1))` keeps the first axis, not as `help` says
        self.reshape([self.len()])
    }
}

/// The axes in another order.
pub(crate) fn permuted(array: &Array, order: &impl AxisOrder) -> Result<Array, Error> {
    in_order(array, order.numbers().as_slice().unwrap_or_default())
}

/// [`permuted`], compiled once.
fn in_order(array: &Array, axes: &[isize]) -> Result<Array, Error> {
    let rank = array.rank();
    let order: Result<Vec<usize>, Error> = axes
        .iter()
        .map(|axis| axis_of("permute", *axis, rank))
        .collect();
    let refused = || Error::NotAPermutation {
        axes: axes.to_vec(),
        rank,
    };
    let order = order.map_err(|_| refused())?;
    if order.len() != rank || !(0..rank).all(|axis| order.contains(&axis)) {
        return Err(refused());
    }
    exec::permute(array, &order)
}

/// Two axes exchanged.
pub(crate) fn swapped(
    operation: &'static str,
    array: &Array,
    first: isize,
    second: isize,
) -> Result<Array, Error> {
    let rank = array.rank();
    let (first, second) = (
        axis_of(operation, first, rank)?,
        axis_of(operation, second, rank)?,
    );
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(first, second);
    exec::permute(array, &order)
}

/// The last two axes exchanged.
pub(crate) fn matrices_transposed(array: &Array) -> Result<Array, Error> {
    let operation = "matrix_transpose";
    check_axes(operation, 2, array.shape())?;
    swapped(operation, array, -2, -1)
}

/// One axis at another position, and the others in their order.
pub(crate) fn moved(array: &Array, from: isize, to: isize) -> Result<Array, Error> {
    let rank = array.rank();
    let (from, to) = (
        axis_of("move_axis", from, rank)?,
        axis_of("move_axis", to, rank)?,
    );
    let mut order: Vec<usize> = (0..rank).filter(|axis| *axis != from).collect();
    order.insert(to, from);
    exec::permute(array, &order)
}
