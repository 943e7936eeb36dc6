//! Dynamic tensors of the elements of vectors, arrays and iterators.

use super::{DynTensor, MakesDyn};
use crate::array::Array;
use crate::array::alloc::vec_from_iter;
use crate::dtype::Element;
use crate::error::Error;
use crate::rules::{Jax, Rules};
use crate::tensor::{Target, or_panic};

fn strong(array: Array) -> DynTensor {
    DynTensor::from_array(array, false, Jax::RULE_SET)
}

/// A tensor of rank 1 of all elements, under [`Jax`] rules. Their type decides the dtype.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`].
///
/// ```
/// use supremum::DynTensor;
/// let squares: DynTensor = (1..5_i16).map(|x| x * x).collect();
/// assert_eq!(squares.to_string(), "[ 1,  4,  9, 16] i16 [4]");
/// ```
impl<E: Element> FromIterator<E> for DynTensor {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = E>>(elements: I) -> Self {
        let collected = vec_from_iter(elements.into_iter()).map_err(Error::from);
        let made =
            collected.and_then(|elements| Array::from_elements(&elements, &[elements.len()]));
        strong(or_panic(made))
    }
}

/// Writes conversions from vectors, slices and nested arrays.
macro_rules! conversions {
    ($([$($count:ident)*] $elements:ty, |$it:ident| $slice:expr, $shape:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<E: Element $(, const $count: usize)*> MakesDyn<$elements> for Target<DynTensor> {
            #[track_caller]
            fn make_dyn($it: $elements) -> Self {
                Target(strong(or_panic(Array::from_elements::<E>($slice, &$shape))))
            }
        }
    )*};
}

conversions! {
    [] Vec<E>, |elements| &elements, [elements.len()];
    [] &[E], |elements| elements, [elements.len()];
    [A] [E; A], |elements| &elements, [A];
    [A B] [[E; B]; A], |elements| elements.as_flattened(), [A, B];
    [A B C] [[[E; C]; B]; A], |elements| elements.as_flattened().as_flattened(), [A, B, C];
    [A B C D] [[[[E; D]; C]; B]; A], |elements| elements.as_flattened().as_flattened().as_flattened(), [A, B, C, D];
}
