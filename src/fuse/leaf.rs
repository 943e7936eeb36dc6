//! Where an expression gets its elements from.

use core::marker::PhantomData;
use std::borrow::Cow;

use super::{Context, Expression, Fused, Lower, Lowered, Lowering};
use crate::array::{Array, Dims};
use crate::dtype::{Element, StaticDType, bf16, c64, c128, f8e4m3fn, f8e5m2, f16};
use crate::error::Error;
use crate::rank::{Rank, Rank0};
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::Tensor;

/// What an expression reads: tensors, references to them, and elements (`f32`, `i8`, ..), which are strong
/// and of rank 0.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements for an expression",
    label = "neither a tensor nor an element",
    note = "expressions read tensors and elements such as `f32` or `i64`; literals without a suffix are weak"
)]
pub trait IntoLeaf<R: Rules> {
    /// The part of the expression that it becomes.
    type Leaf<'a>: Expression<Rules = R>
    where
        Self: 'a;

    /// That part.
    fn leaf(&self) -> Self::Leaf<'_>;
}

/// A leaf.
#[inline]
pub fn leaf<R: Rules, T: IntoLeaf<R> + ?Sized>(x: &T) -> Fused<T::Leaf<'_>> {
    Fused(x.leaf())
}

/// A leaf in an expression that admits unsafe promotions.
#[inline]
pub fn leaf_admitting<R: Rules, T: IntoLeaf<R> + ?Sized>(x: &T) -> Fused<Admitting<T::Leaf<'_>>> {
    Fused(Admitting(x.leaf()))
}

/// A tensor.
pub struct Leaf<'a, D, N, R> {
    array: &'a Array,
    types: PhantomData<fn() -> (D, N, R)>,
}

impl<D, N, R> Clone for Leaf<'_, D, N, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D, N, R> Copy for Leaf<'_, D, N, R> {}

impl<D: StaticDType, N: Rank, R: Rules> Expression for Leaf<'_, D, N, R> {
    type DType = D;
    type Operand = R::Operand<D, N>;
    type Rank = N;
    type Rules = R;
}

impl<D, N, R> Lower for Leaf<'_, D, N, R> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        Ok(Lowered(to.program.operand(Cow::Borrowed(self.array))))
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> IntoLeaf<R> for Tensor<D, N, R> {
    type Leaf<'a>
        = Leaf<'a, D, N, R>
    where
        Self: 'a;

    fn leaf(&self) -> Self::Leaf<'_> {
        Leaf {
            array: self.array(),
            types: PhantomData,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoLeaf<R> + ?Sized, R: Rules> IntoLeaf<R> for &T {
    type Leaf<'a>
        = T::Leaf<'a>
    where
        Self: 'a;

    fn leaf(&self) -> Self::Leaf<'_> {
        (**self).leaf()
    }
}

/// An element: strong, of rank 0.
#[derive(Clone, Copy)]
pub struct Single<T, R> {
    element: T,
    rules: PhantomData<R>,
}

impl<T: Element, R: Rules> Expression for Single<T, R> {
    type DType = T::Marker;
    type Operand = R::Operand<T::Marker, Rank0>;
    type Rank = Rank0;
    type Rules = R;
}

impl<T: Element, R> Lower for Single<T, R> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        let array = Array::full(self.element, &[])?;
        Ok(Lowered(to.program.operand(Cow::Owned(array))))
    }
}

// One impl for every `T: Element` would be in the way of that for references.
macro_rules! elements {
    ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $digits:ty, $top:ty, $bottom:ty, $position:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<R: Rules> IntoLeaf<R> for $element {
            type Leaf<'a> = Single<Self, R>;

            fn leaf(&self) -> Self::Leaf<'_> {
                Single {
                    element: *self,
                    rules: PhantomData,
                }
            }
        }
    )*};
}

supremum_macros::with_dtypes!(elements, typenum);

/// A part whose promotions are admitted.
#[derive(Clone, Copy)]
pub struct Admitting<E>(E);

impl<E: Expression> Expression for Admitting<E> {
    type DType = E::DType;
    type Operand = E::Operand;
    type Rank = E::Rank;
    type Rules = AllowUnsafe<E::Rules>;
}

impl<E: Lower> Lower for Admitting<E> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, context: Context) -> Result<Lowered, Error> {
        self.0.lower(to, context)
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> IntoLeaf<R> for &mut Tensor<D, N, R> {
    type Leaf<'a>
        = Leaf<'a, D, N, R>
    where
        Self: 'a;

    fn leaf(&self) -> Self::Leaf<'_> {
        (**self).leaf()
    }
}

/// The output, evaluated once.
pub fn output<D, N, R>(out: &mut Tensor<D, N, R>) -> &mut Tensor<D, N, R> {
    out
}

/// What the output holds before it is written.
pub struct Target<D, N, R> {
    shape: Dims,
    types: PhantomData<fn() -> (D, N, R)>,
}

impl<D, N, R> Clone for Target<D, N, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D, N, R> Copy for Target<D, N, R> {}

/// The output as an operand, which borrows nothing of it.
pub fn target<D: StaticDType, N: Rank, R: Rules>(out: &Tensor<D, N, R>) -> Fused<Target<D, N, R>> {
    Fused(Target {
        shape: *out.array().dims(),
        types: PhantomData,
    })
}

/// The output in an expression that admits unsafe promotions.
pub fn target_admitting<D: StaticDType, N: Rank, R: Rules>(
    out: &Tensor<D, N, R>,
) -> Fused<Admitting<Target<D, N, R>>> {
    Fused(Admitting(target(out).0))
}

impl<D: StaticDType, N: Rank, R: Rules> Expression for Target<D, N, R> {
    type DType = D;
    type Operand = R::Operand<D, N>;
    type Rank = N;
    type Rules = R;
}

impl<D: StaticDType, N, R> Lower for Target<D, N, R> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        Ok(Lowered(to.program.target(D::DTYPE, &self.shape)))
    }
}

/// The value of a `let` binding. It is lowered once, however often it is used, and its type does not grow
/// with what it is made of.
pub struct Shared<'s, D, O, N, R> {
    number: usize,
    value: &'s (dyn Lower + 's),
    types: PhantomData<fn() -> (D, O, N, R)>,
}

impl<D, O, N, R> Clone for Shared<'_, D, O, N, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D, O, N, R> Copy for Shared<'_, D, O, N, R> {}

/// The value of the binding with that number.
pub fn shared<E: Expression>(
    number: usize,
    value: &Fused<E>,
) -> Fused<Shared<'_, E::DType, E::Operand, E::Rank, E::Rules>> {
    Fused(Shared {
        number,
        value: &value.0,
        types: PhantomData,
    })
}

impl<D: StaticDType, O: StaticDType, N: Rank, R: Rules> Expression for Shared<'_, D, O, N, R> {
    type DType = D;
    type Operand = O;
    type Rank = N;
    type Rules = R;
}

impl<D: StaticDType, O, N, R> Lower for Shared<'_, D, O, N, R> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        if let Some(Some(value)) = to.shared.get(self.number) {
            return Ok(Lowered(*value));
        }
        let Lowered(value) = self.value.lower(to, Context::alone::<D>())?;
        if to.shared.len() <= self.number {
            to.shared.resize(self.number + 1, None);
        }
        to.shared[self.number] = Some(value);
        Ok(Lowered(value))
    }
}
