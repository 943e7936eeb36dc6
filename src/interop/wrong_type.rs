//! Methods that are called on another type than the one that has them: on a `DynTensor` those of typed tensors, on a view for writing those of
//! tensors, on a `DType` those of rules. And operators of a view for writing, which has only those in place. Such code does not compile, and
//! the compiler's message says which type has the method, or how to get there.

use core::ops;

use crate::dtype::{DType, Unnamed};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::op::each_binary;
use crate::tensor::{Tensor, TensorViewMut};

/// Nothing implements it: an iterator has no shape.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `DynTensor` is made of elements and a shape: `DynTensor::from_vec(elements, [2])?`",
    label = "elements without a shape",
    note = "of an iterator it is `DynTensor::from_vec(iterator.collect::<Vec<f32>>(), [2])?`, of literals `tensor![F32; 1.0, 2.0].into_dyn()`, and of equal elements `DynTensor::full(DType::F32, [2], 0.5)?`"
)]
pub trait ElementsAndShape {}

#[doc(hidden)]
impl DynTensor {
    #[doc(hidden)]
    #[allow(
        clippy::should_implement_trait,
        reason = "it exists for its message, which a bound of an impl would not print"
    )]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn from_iter<A>(_: A) -> Result<Self, Error> where for<'a> Self: ElementsAndShape {
        unreachable!("no type has the bound")
    }
}

/// Nothing implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `DynTensor` becomes a typed tensor by `t.typed::<F32, Rank2, Jax>()?`",
    label = "a name of other libraries",
    note = "it is an error if the dtype or the rank differs; `dispatch!(t in [F32, F64], |t| ..)` runs code for each dtype"
)]
pub trait NamedTyped {}

#[doc(hidden)]
impl DynTensor {
    #[doc(hidden)]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn downcast<Out>(&self) -> Result<Out, Error> where for<'a> Self: NamedTyped {
        unreachable!("no type has the bound")
    }

    #[doc(hidden)]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn to_typed<Out>(&self) -> Result<Out, Error> where for<'a> Self: NamedTyped {
        unreachable!("no type has the bound")
    }

    #[doc(hidden)]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn into_typed<Out>(&self) -> Result<Out, Error> where for<'a> Self: NamedTyped {
        unreachable!("no type has the bound")
    }
}

/// Nothing implements it: a promotion depends on the rules.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "dtypes promote by rules: `Jax::promote(DType::F16, DType::BF16)?.dtype`",
    label = "a method of rules",
    note = "the promotion also has its verdict; of a tensor's dtype it is `Jax::promote(t.dtype(), DType::F32)?`"
)]
pub trait PromotedByRules {}

#[doc(hidden)]
impl DType {
    #[doc(hidden)]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn promote<A>(&mut self, _: A) -> Result<Self, Error> where for<'a> Self: PromotedByRules {
        unreachable!("no type has the bound")
    }

    #[doc(hidden)]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn promote_types<A, B>(_: A, _: B) -> Result<Self, Error> where for<'a> Self: PromotedByRules {
        unreachable!("no type has the bound")
    }
}

/// Nothing implements it: a view for writing has no operations but those in place.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a view for writing has no operations but those in place",
    label = "only elements are read through a view for writing",
    note = "`.to_tensor()` copies its elements; a view for reading, such as `t.index_axis(0, 1)`, costs no copy and has all operations"
)]
pub trait ReadView {}

/// Methods of views for writing, bounded by [`ReadView`]. Without them rustc takes the view for an iterator.
macro_rules! of_views {
    ($($method:ident)+) => {
        impl<D, N, R> TensorViewMut<'_, D, N, R> {$(
            #[doc(hidden)]
            pub fn $method<Out>(&self) -> Out
            where
                Self: ReadView,
            {
                unreachable!("no type has the bound")
            }
        )+}
    };
}

of_views! { sum mean max min any all to_vec iter exp }

// Two types without values have the trait, so that rustc looks at the right side of an operator before it rejects the view, as for
// `ChangesShared`.
#[diagnostic::do_not_recommend]
impl ReadView for (Unnamed,) {}
#[diagnostic::do_not_recommend]
impl ReadView for ((Unnamed,),) {}

/// Operators with a view for writing on the left, and of a number with such a view on the right. The right side of a view is generic, in a tuple
/// (see [`ReadView`]). Only one float and one integer have impls for the left, so that rustc reports their bound for literals too, as in
/// `ops/number.rs`.
macro_rules! with_views {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(with_views!(@$form $name $($operator)*);)*
    };
    (@method $method:ident) => {};
    (@operator $method:ident $trait:ident $($assign:tt)*) => {
        with_views!(@left $trait::$method TensorViewMut<'_, D, N, R>);
        with_views!(@left $trait::$method &TensorViewMut<'_, D, N, R>);
        with_views!(@of $trait::$method f64, TensorViewMut<'view, D, N, R>);
        with_views!(@of $trait::$method f64, &TensorViewMut<'view, D, N, R>);
        with_views!(@of $trait::$method i64, TensorViewMut<'view, D, N, R>);
        with_views!(@of $trait::$method i64, &TensorViewMut<'view, D, N, R>);
    };
    (@left $trait:ident::$method:ident $view:ty) => {
        #[doc(hidden)]
        impl<D, N, R, Rhs> ops::$trait<Rhs> for $view
        where
            (Rhs,): ReadView,
        {
            type Output = Tensor<D, N, R>;

            fn $method(self, _: Rhs) -> Self::Output {
                unreachable!("the bound never holds")
            }
        }
    };
    (@of $trait:ident::$method:ident $number:ty, $view:ty) => {
        #[doc(hidden)]
        impl<'view, D, N, R> ops::$trait<$view> for $number
        where
            TensorViewMut<'view, D, N, R>: ReadView,
        {
            type Output = Tensor<D, N, R>;

            fn $method(self, _: $view) -> Self::Output {
                unreachable!("the bound never holds")
            }
        }
    };
}

each_binary!(methods with_views!);

#[doc(hidden)]
impl<D, N, R, Rhs> PartialEq<Rhs> for TensorViewMut<'_, D, N, R>
where
    (Rhs,): ReadView,
{
    fn eq(&self, _: &Rhs) -> bool {
        unreachable!("the bound never holds")
    }
}
