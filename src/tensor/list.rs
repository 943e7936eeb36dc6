//! Lists of tensors: the argument of `concat` and `stack`.

use super::Tensor;
use crate::error::Error;

/// A list of tensors to join: an array, a `Vec` or a slice of tensors or of references to them, as in `[&a, &b]`, a reference to one, as
/// in `&tensors`, or a tuple of two or three, as in `(&a, &b)`. The tensors are [`Tensor`]s of one type, or
/// [`DynTensor`](crate::DynTensor)s.
///
/// ```
/// use supremum::{F32, Rank1, Rank2, Tensor, stack, tensor};
/// let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
/// let rows: Vec<Tensor<F32, Rank1>> = (0..2).map(|row| &a + row).collect();
/// let table: Tensor<F32, Rank2> = stack(&rows, 0);
/// assert_eq!(stack([&a, &rows[1]], 0), table);
/// assert_eq!(stack(&[&a, &rows[1]], 0), table);
/// assert_eq!(stack([a.clone(), &a + 1], 0), table);
/// assert_eq!(stack((&a, &rows[1]), 0), table);
/// assert_eq!(stack(rows, 0), table);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tensors of one type",
    label = "neither an array of tensors or references, as in `[&a, &b]`, nor a `Vec` or a slice of them",
    note = "all have the same dtype, rank and rules: `.cast::<F32>()` converts, and `a.concat(&b, axis)` joins two whose dtypes promote; elements are no tensors: `for row in t.rows()` gives rows, where `for x in &t` gives elements"
)]
pub trait TensorList {
    /// The type of the tensors.
    type Tensor: JoinTensors;

    #[doc(hidden)]
    fn references(&self) -> Vec<&Self::Tensor>;
}

/// Types of tensors that [`concat`](crate::concat()) joins.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor that `concat` joins",
    label = "not a tensor"
)]
#[doc(hidden)]
pub trait JoinTensors: Sized {
    fn join(tensors: &[&Self], axis: isize) -> Result<Self, Error>;
}

/// Types of tensors that [`stack`](crate::stack()) joins. `Output` has one axis more.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor that `stack` joins",
    label = "not a tensor"
)]
#[doc(hidden)]
pub trait StackTensors: JoinTensors {
    type Output;

    fn stack(tensors: &[&Self], axis: isize) -> Result<Self::Output, Error>;
}

/// A tensor in a list, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor or a reference to one",
    label = "not a tensor"
)]
#[doc(hidden)]
pub trait ListedTensor {
    type Tensor: JoinTensors;

    fn listed(&self) -> &Self::Tensor;
}

#[diagnostic::do_not_recommend]
impl<D, N, R> ListedTensor for Tensor<D, N, R>
where
    Self: JoinTensors,
{
    type Tensor = Self;

    fn listed(&self) -> &Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: ListedTensor> ListedTensor for &T {
    type Tensor = T::Tensor;

    fn listed(&self) -> &T::Tensor {
        (**self).listed()
    }
}

#[diagnostic::do_not_recommend]
impl<L: TensorList + ?Sized> TensorList for &L {
    type Tensor = L::Tensor;

    fn references(&self) -> Vec<&L::Tensor> {
        (**self).references()
    }
}

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty: $tensors:ident => $references:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: ListedTensor, $($generics)*> TensorList for $list {
            type Tensor = T::Tensor;

            fn references(&self) -> Vec<&T::Tensor> {
                let $tensors = self;
                $references
            }
        }
    )*};
}

lists! {
    [] [T]: list => list.iter().map(T::listed).collect();
    [const COUNT: usize] [T; COUNT]: list => list.iter().map(T::listed).collect();
    [] Vec<T>: list => list.iter().map(T::listed).collect();
    [] (T, T): list => vec![list.0.listed(), list.1.listed()];
    [] (T, T, T): list => vec![list.0.listed(), list.1.listed(), list.2.listed()];
}
