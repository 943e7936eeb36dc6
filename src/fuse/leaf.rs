//! The leaves of an expression: tensors, elements, the output and the values of `let` bindings.

use core::marker::PhantomData;
use std::borrow::Cow;

use super::{
    Compile, Context, ElementOf, Expression, Fused, GraphBuilder, GraphValue, In, LoopInputs,
    Record, compile_in,
};
use crate::array::Array;
use crate::dtype::*;
use crate::error::Error;
use crate::exec::require_current;
use crate::kernel::fused::{Bound, Input, MAX_BOUND, MAX_INPUTS, Splat, Values};
use crate::rank::{Rank, Rank0};
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::Tensor;

/// An operand of an expression: a tensor, a reference to one, or an element (`f32`, `i8`, ..), which is strong and has
/// rank 0.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of an expression under `{R}` rules",
    label = "neither a tensor under `{R}` rules nor an element",
    note = "an expression reads tensors under one rule set, and elements such as `f32` or `i64` (another number is converted: `n as f32`); a tensor under other rules moves, free of cost: `.with_rules::<{R}>()`; a `Vec`, array or slice becomes a tensor by `Tensor::<F32, Rank1>::from(v)`; a `DynTensor` gets its types by `dispatch!` or `t.typed::<F32, Rank2, Jax>()?`; generic code states a bound, `D: Arithmetic<R, N>` or `D: Floating<R, N>`"
)]
pub trait IntoLeaf<R: Rules> {
    /// The node of the expression.
    type Leaf<'a, const NUMBER: usize>
    where
        Self: 'a;

    /// Makes the node; `NUMBER` is its position among the leaves.
    fn leaf<const NUMBER: usize>(&self) -> Self::Leaf<'_, NUMBER>;
}

/// The rules of an expression, which all of its leaves follow.
pub struct RulesOf<R>(PhantomData<R>);

impl<R> Clone for RulesOf<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R> Copy for RulesOf<R> {}

/// Makes the rules of an expression; its leaves determine them.
#[inline]
pub fn rules<R: Rules>() -> RulesOf<R> {
    RulesOf(PhantomData)
}

/// Implemented by the operand types of literals, which the rules of an expression determine.
#[diagnostic::on_unimplemented(
    message = "the rules of this expression are not known",
    label = "not a tensor, and no other operand is one",
    note = "the tensors of an expression say which rules it follows; compute with elements alone outside of the macro: `x[0] + 1.0`, or write the type of the result: `let y: Tensor<F32, Rank0> = ..;`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait KnownRules: Sized {
    /// The proof. It is a constant, because for a call rustc would point at the function as well.
    #[doc(hidden)]
    const KNOWN: PhantomData<Self> = PhantomData;
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType> KnownRules for D {}

/// Has the compiler ask for [`KnownRules`]. It is never called.
///
/// If nothing determines the rules, the compiler takes `!` for `S`, which is the type of the last argument, and [`KnownRules`] refuses
/// that with its message. (`Inferred::known` in `tensor/inferred.rs` does the same.)
pub fn known_rules<R: Rules<Int = S>, S>(_: PhantomData<S>, _: S) -> RulesOf<R> {
    rules()
}

/// Makes the leaf with that number.
// The node is a type parameter, so that rustc reports a wrong operand once, not twice.
#[inline]
pub fn leaf<'a, const NUMBER: usize, R, T, L, E>(_: RulesOf<R>, x: &'a T) -> Fused<E>
where
    R: Rules,
    T: IntoLeaf<R, Leaf<'a, NUMBER> = L> + ?Sized,
    L: Ranked<Itself = E>,
{
    Fused(x.leaf::<NUMBER>().itself())
}

/// Makes the leaf with that number, in an expression that admits unsafe promotions.
#[inline]
pub fn leaf_admitting<'a, const NUMBER: usize, R, T, L, E>(
    _: RulesOf<R>,
    x: &'a T,
) -> Fused<Admitting<E>>
where
    R: Rules,
    T: IntoLeaf<R, Leaf<'a, NUMBER> = L> + ?Sized,
    L: Ranked<Itself = E>,
{
    Fused(Admitting(x.leaf::<NUMBER>().itself()))
}

/// A leaf in its place in the expression.
#[inline]
pub fn operand<E>(leaf: Fused<E>) -> Fused<E> {
    leaf
}

/// Leaves whose `N` is a rank. Without the bound `N: Rank`, generic code has no type `Itself`. So the compiler reports the missing bound
/// once, and nothing at the operations on the leaf.
pub trait Ranked {
    /// The type of the leaf itself.
    type Itself;

    /// Returns the leaf itself.
    fn itself(self) -> Self::Itself;
}

impl<'a, const NUMBER: usize, D, N: Rank, R> Ranked for Leaf<'a, NUMBER, D, N, R> {
    type Itself = Leaf<'a, NUMBER, D, N::Itself, R>;

    #[inline]
    fn itself(self) -> Self::Itself {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T, R> Ranked for Single<T, R> {
    type Itself = Self;

    #[inline]
    fn itself(self) -> Self {
        self
    }
}

/// A borrowed tensor.
pub struct Leaf<'a, const NUMBER: usize, D, N, R> {
    pub(super) array: &'a Array,
    types: PhantomData<fn() -> (D, N, R)>,
}

impl<'a, const NUMBER: usize, D, N, R> Leaf<'a, NUMBER, D, N, R> {
    /// Makes the leaf of an array of this dtype and rank.
    pub(super) fn new(array: &'a Array) -> Self {
        Self {
            array,
            types: PhantomData,
        }
    }
}

impl<const NUMBER: usize, D, N, R> Clone for Leaf<'_, NUMBER, D, N, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<const NUMBER: usize, D, N, R> Copy for Leaf<'_, NUMBER, D, N, R> {}

impl<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules> Expression
    for Leaf<'_, NUMBER, D, N, R>
{
    type DType = D;
    // Through `Itself`, so that the compiler reports one thing about a type that is not a dtype.
    type Operand = R::Operand<<D as Itself>::Itself, N>;
    type Rank = N;
    type Rules = R;
}

impl<const NUMBER: usize, D: StaticDType, N, R> Compile for Leaf<'_, NUMBER, D, N, R> {
    type Loop = Input<NUMBER, ElementOf<D>>;
    const COMPILABLE: bool = NUMBER < MAX_INPUTS;

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        sources.array(NUMBER, self.array);
        Some(Input::NEW)
    }
}

impl<const NUMBER: usize, D, N, R> Record for Leaf<'_, NUMBER, D, N, R> {
    fn record<'a>(&'a self, to: &mut GraphBuilder<'a>, _: Context) -> Result<GraphValue, Error> {
        require_current("fuse!", self.array)?;
        Ok(GraphValue(to.graph.operand(Cow::Borrowed(self.array))))
    }
}

// Without bounds on `D` and `N`, which the compiler would report here and at the operation.
#[diagnostic::do_not_recommend]
impl<D, N, R: Rules> IntoLeaf<R> for Tensor<D, N, R> {
    type Leaf<'a, const NUMBER: usize>
        = Leaf<'a, NUMBER, D, N, R>
    where
        Self: 'a;

    fn leaf<const NUMBER: usize>(&self) -> Self::Leaf<'_, NUMBER> {
        Leaf::new(self.array())
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoLeaf<R> + ?Sized, R: Rules> IntoLeaf<R> for &T {
    type Leaf<'a, const NUMBER: usize>
        = T::Leaf<'a, NUMBER>
    where
        Self: 'a;

    fn leaf<const NUMBER: usize>(&self) -> Self::Leaf<'_, NUMBER> {
        (**self).leaf()
    }
}

/// A single element: strong, of rank 0.
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

impl<T: Element, R> Compile for Single<T, R> {
    type Loop = Splat<T>;
    const COMPILABLE: bool = true;

    #[inline]
    fn compile<'a>(&'a self, _: &mut LoopInputs<'a>, _: DType) -> Option<Splat<T>> {
        Some(Splat::new(self.element))
    }
}

impl<T: Element, R> Record for Single<T, R> {
    fn record<'a>(&'a self, to: &mut GraphBuilder<'a>, _: Context) -> Result<GraphValue, Error> {
        let array = Array::full(self.element, &[])?;
        Ok(GraphValue(to.graph.operand(Cow::Owned(array))))
    }
}

// One impl for every `T: Element` would overlap with the impl for references.
macro_rules! elements {
    ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $($numbers:ty),*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<R: Rules> IntoLeaf<R> for $element {
            type Leaf<'a, const NUMBER: usize> = Single<Self, R>;

            fn leaf<const NUMBER: usize>(&self) -> Self::Leaf<'_, NUMBER> {
                Single {
                    element: *self,
                    rules: PhantomData,
                }
            }
        }
    )*};
}

supremum_macros::with_dtypes!(elements, typenum);

/// A part whose unsafe promotions are admitted.
#[derive(Clone, Copy)]
pub struct Admitting<E>(pub(super) E);

impl<E: Expression> Expression for Admitting<E> {
    type DType = E::DType;
    type Operand = E::Operand;
    type Rank = E::Rank;
    type Rules = AllowUnsafe<E::Rules>;
}

impl<E: Compile> Compile for Admitting<E> {
    type Loop = E::Loop;
    const COMPILABLE: bool = E::COMPILABLE;

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, literals: DType) -> Option<Self::Loop> {
        self.0.compile(sources, literals)
    }
}

impl<E: Record> Record for Admitting<E> {
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        context: Context,
    ) -> Result<GraphValue, Error> {
        self.0.record(to, context)
    }
}

#[diagnostic::do_not_recommend]
impl<D, N, R: Rules> IntoLeaf<R> for &mut Tensor<D, N, R> {
    type Leaf<'a, const NUMBER: usize>
        = Leaf<'a, NUMBER, D, N, R>
    where
        Self: 'a;

    fn leaf<const NUMBER: usize>(&self) -> Self::Leaf<'_, NUMBER> {
        (**self).leaf()
    }
}

/// The value of a `let` binding. It is recorded once, however often it is used. Its type does not contain the type of
/// the bound expression.
pub struct Shared<'s, const NUMBER: usize, D, O, N, R> {
    value: &'s (dyn Record + 's),
    types: PhantomData<fn() -> (D, O, N, R)>,
}

impl<const NUMBER: usize, D, O, N, R> Clone for Shared<'_, NUMBER, D, O, N, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<const NUMBER: usize, D, O, N, R> Copy for Shared<'_, NUMBER, D, O, N, R> {}

/// Makes the value of the binding with that number.
pub fn shared<const NUMBER: usize, E: Expression>(
    value: &Fused<E>,
) -> Fused<Shared<'_, NUMBER, E::DType, E::Operand, E::Rank, E::Rules>> {
    Fused(Shared {
        value: &value.0,
        types: PhantomData,
    })
}

impl<const NUMBER: usize, D, O, N, R> Expression for Shared<'_, NUMBER, D, O, N, R>
where
    D: StaticDType,
    O: StaticDType,
    N: Rank,
    R: Rules,
{
    type DType = D;
    type Operand = O;
    type Rank = N;
    type Rules = R;
}

impl<const NUMBER: usize, D: StaticDType, O, N, R> Compile for Shared<'_, NUMBER, D, O, N, R> {
    type Loop = Bound<NUMBER, ElementOf<D>>;
    const COMPILABLE: bool = NUMBER < MAX_BOUND;

    #[inline]
    fn compile<'a>(&'a self, _: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        Some(Bound::NEW)
    }
}

impl<const NUMBER: usize, D: StaticDType, O, N, R> Record for Shared<'_, NUMBER, D, O, N, R> {
    fn record<'a>(&'a self, to: &mut GraphBuilder<'a>, _: Context) -> Result<GraphValue, Error> {
        to.shared(NUMBER, self.value, D::DTYPE)
    }
}

impl<'a> GraphBuilder<'a> {
    /// Returns the value of the binding with this number, recorded at its first use.
    fn shared(
        &mut self,
        number: usize,
        value: &'a dyn Record,
        dtype: DType,
    ) -> Result<GraphValue, Error> {
        if let Some(Some(value)) = self.shared.get(number) {
            return Ok(GraphValue(*value));
        }
        let GraphValue(value) = value.record(self, Context::alone(dtype))?;
        if self.shared.len() <= number {
            self.shared.resize(number + 1, None);
        }
        self.shared[number] = Some(value);
        Ok(GraphValue(value))
    }
}

/// The values of `let` bindings, in the order of their numbers: `(((), &first), &second)`.
pub trait Bindings {
    /// The loops that compute the values.
    #[doc(hidden)]
    type Loops: Values;
    /// `true` if all values can be compiled to loops.
    const COMPILABLE: bool;

    /// Makes the loops and adds their inputs to `sources`; `None` if a literal does not convert.
    #[doc(hidden)]
    fn compile_all<'a>(&'a self, sources: &mut LoopInputs<'a>) -> Option<Self::Loops>;
}

impl Bindings for () {
    type Loops = ();
    const COMPILABLE: bool = true;

    #[inline]
    fn compile_all<'a>(&'a self, _: &mut LoopInputs<'a>) -> Option<()> {
        Some(())
    }
}

/// More bindings than a loop has room for; such expressions are interpreted.
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

impl Bindings for TooMany {
    type Loops = ();
    const COMPILABLE: bool = false;

    fn compile_all<'a>(&'a self, _: &mut LoopInputs<'a>) -> Option<()> {
        None
    }
}

impl<B: Bindings, E: Expression> Bindings for (B, &Fused<E>) {
    type Loops = (B::Loops, In<E, ElementOf<E::DType>>);
    const COMPILABLE: bool = B::COMPILABLE && E::COMPILABLE;

    #[inline]
    fn compile_all<'a>(&'a self, sources: &mut LoopInputs<'a>) -> Option<Self::Loops> {
        Some((
            self.0.compile_all(sources)?,
            compile_in(&self.1.0, sources, E::DType::DTYPE)?,
        ))
    }
}
