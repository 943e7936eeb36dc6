//! Lists of tensors: the argument of `concat` and `stack`.

use std::borrow::Cow;

/// A list of tensors to join: `&[&a, &b]`, `&tensors` of an array, a `Vec` or a slice of tensors or of references, an array of tensors
/// by value, or a tuple of two or three of them, as in `(&a, &b)`. `T` is a [`Tensor`](crate::Tensor) or a [`DynTensor`](crate::DynTensor).
///
/// ```
/// use supremum::{F32, Rank1, Rank2, Tensor, stack, tensor};
/// let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
/// let rows: Vec<Tensor<F32, Rank1>> = (0..2).map(|row| &a + row).collect();
/// let table: Tensor<F32, Rank2> = stack(&rows, 0);
/// assert_eq!(stack(&[&a, &rows[1]], 0), table);
/// assert_eq!(stack([a.clone(), &a + 1], 0), table);
/// assert_eq!(stack(&[a.clone(), &a + 1], 0), table);
/// assert_eq!(stack((&a, &rows[1]), 0), table);
/// assert_eq!(stack((a.clone(), &a + 1), 0), table);
/// assert_eq!(stack((&a, &a, &a), 0), stack((a.clone(), a.clone(), a.clone()), 0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tensors of one type",
    label = "neither references to tensors, as in `&[&a, &b]`, nor a `Vec` or a slice of tensors",
    note = "tensors that are made in place are passed as an array without `&`: `[a + 1, b * 2]`; a `Vec` or a slice of tensors is passed as `&tensors`",
    note = "all have the same dtype, rank and rules: `.cast::<F32>()` converts, and `a.concat(&b, axis)` joins two whose dtypes differ"
)]
pub trait TensorList<T: Clone> {
    #[doc(hidden)]
    fn references(&self) -> Cow<'_, [&T]>;
}

macro_rules! lists {
    ($(($($generics:tt)*) $list:ty: $tensors:ident => $references:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> TensorList<T> for $list {
            fn references(&self) -> Cow<'_, [&T]> {
                let $tensors = self;
                $references
            }
        }
    )*};
}

// There is no impl for `[&T; COUNT]` and `Vec<T>`: beside them, Clippy would call the borrow in `&[&a, &b]` and `&tensors` needless.
lists! {
    (T: Clone, const COUNT: usize) &[&T; COUNT]: list => Cow::Borrowed(&list[..]);
    (T: Clone, const COUNT: usize) &[T; COUNT]: list => Cow::Owned(list.iter().collect());
    (T: Clone) &[&T]: list => Cow::Borrowed(list);
    (T: Clone) &Vec<&T>: list => Cow::Borrowed(list);
    (T: Clone) &[T]: list => Cow::Owned(list.iter().collect());
    (T: Clone) &Vec<T>: list => Cow::Owned(list.iter().collect());
    (T: Clone, const COUNT: usize) [T; COUNT]: list => Cow::Owned(list.iter().collect());
    (T: Clone) (&T, &T): list => Cow::Owned(vec![list.0, list.1]);
    (T: Clone) (&T, &T, &T): list => Cow::Owned(vec![list.0, list.1, list.2]);
    (T: Clone) (T, T): list => Cow::Owned(vec![&list.0, &list.1]);
    (T: Clone) (T, T, T): list => Cow::Owned(vec![&list.0, &list.1, &list.2]);
}
