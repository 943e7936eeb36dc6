//! The outputs of expressions: tensors and views for writing, whose former elements may be operands.

use core::marker::PhantomData;

use super::leaf::{Admitting, Leaf, RulesOf};
use super::{
    Compile, Context, DynExpr, ElementOf, Expression, Fused, GraphBuilder, GraphValue, LoopInputs,
    Record,
};
use crate::array::{Array, Dims};
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::exec::PartMut;
use crate::kernel::fused::{Input, Loop, MAX_INPUTS, OutputMemory};
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::{Tensor, TensorViewMut};

/// Borrows an output for writing. By a method call of this trait `fuse!(out = ..)` takes a tensor as well as a `&mut Tensor`, whose
/// referent the compiler borrows.
pub trait OutputPlace {
    /// Returns the output.
    fn supremum_place(&mut self) -> &mut Self {
        self
    }
}

impl<T: ?Sized> OutputPlace for T {}

/// An output of an expression: a tensor, or a view for writing of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output of an expression",
    label = "neither a tensor nor a view for writing",
    note = "`fuse!(out = ..)` writes to a tensor, also behind a `&mut`, or to a part of one: `fuse!(out.slice_mut(0, 1..3) = ..)`"
)]
pub trait FuseOutput {
    /// The dtype that the expression must have.
    type DType: StaticDType;
    /// The rank.
    type Rank: Rank;
    /// The rules that the expression follows.
    type Rules: Rules;
    /// This type.
    #[doc(hidden)]
    type Itself: FuseOutput<DType = Self::DType, Rank = Self::Rank, Rules = Self::Rules>;

    #[doc(hidden)]
    fn itself(&mut self) -> &mut Self::Itself;

    #[doc(hidden)]
    fn array(&self) -> OutputArray<'_>;

    #[doc(hidden)]
    fn as_output(&mut self) -> OutputMut<'_>;
}

/// The array of an output before it is written.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OutputArray<'a>(pub(super) &'a Array);

/// An output without its types.
#[doc(hidden)]
pub struct OutputMut<'a>(Memory<'a>);

enum Memory<'a> {
    Array(&'a mut Array),
    Part(PartMut<'a>),
}

impl OutputMut<'_> {
    /// Overwrites the elements by a compiled loop. Returns whether it did.
    #[inline]
    pub(super) fn run(&mut self, code: &Loop<'_>) -> bool {
        match &mut self.0 {
            Memory::Array(array) => code.evaluate_into(array),
            Memory::Part(part) => match part.elements() {
                Some(view) => code.evaluate_into_view(view),
                None => false,
            },
        }
    }

    /// Returns the memory of the elements, if a row program may overwrite it.
    pub(super) fn memory(&mut self) -> Option<OutputMemory<'_>> {
        match &mut self.0 {
            Memory::Array(array) => OutputMemory::of(array),
            Memory::Part(part) => OutputMemory::of_view(part.elements()?),
        }
    }

    /// Overwrites the elements by the interpreter.
    ///
    /// # Errors
    /// The errors of the operations; [`Error::ShapeMismatch`] if the output has another shape. On error the output is unchanged.
    pub(super) fn interpret(&mut self, expression: DynExpr<'_>) -> Result<(), Error> {
        match &mut self.0 {
            Memory::Array(array) => expression.evaluate_into(array),
            Memory::Part(part) => expression.evaluate_into_part(part),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> FuseOutput for Tensor<D, N, R> {
    type DType = D;
    type Rank = N;
    type Rules = R;
    type Itself = Self;

    #[inline]
    fn itself(&mut self) -> &mut Self {
        self
    }

    #[inline]
    fn array(&self) -> OutputArray<'_> {
        OutputArray(Tensor::array(self))
    }

    #[inline]
    fn as_output(&mut self) -> OutputMut<'_> {
        OutputMut(Memory::Array(self.array_mut()))
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> FuseOutput for TensorViewMut<'_, D, N, R> {
    type DType = D;
    type Rank = N;
    type Rules = R;
    type Itself = Self;

    #[inline]
    fn itself(&mut self) -> &mut Self {
        self
    }

    #[inline]
    fn array(&self) -> OutputArray<'_> {
        OutputArray(self.part.as_array())
    }

    #[inline]
    fn as_output(&mut self) -> OutputMut<'_> {
        OutputMut(Memory::Part(self.part.reborrow()))
    }
}

#[diagnostic::do_not_recommend]
impl<O: FuseOutput> FuseOutput for &mut O {
    type DType = O::DType;
    type Rank = O::Rank;
    type Rules = O::Rules;
    type Itself = Self;

    #[inline]
    fn itself(&mut self) -> &mut Self {
        self
    }

    #[inline]
    fn array(&self) -> OutputArray<'_> {
        O::array(self)
    }

    #[inline]
    fn as_output(&mut self) -> OutputMut<'_> {
        O::as_output(self)
    }
}

/// Takes the output by reference, so that its expression is evaluated once.
// Rules and result are type parameters, so that rustc reports an operand that is not an output once, and not again at
// each use.
pub fn output<R: Rules, O, I>(_: RulesOf<R>, out: &mut O) -> &mut I
where
    O: FuseOutput<Rules = R, Itself = I>,
{
    out.itself()
}

/// The output's elements before they are written, as an operand.
pub struct Target<const NUMBER: usize, D, N, R> {
    shape: Dims,
    types: PhantomData<fn() -> (D, N, R)>,
}

impl<const NUMBER: usize, D, N, R> Clone for Target<NUMBER, D, N, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<const NUMBER: usize, D, N, R> Copy for Target<NUMBER, D, N, R> {}

/// Makes the operand with that number from the output, without borrowing it.
pub fn target<const NUMBER: usize, O: FuseOutput>(
    out: &O,
) -> Fused<Target<NUMBER, O::DType, O::Rank, O::Rules>> {
    Fused(Target {
        shape: *out.array().0.dims(),
        types: PhantomData,
    })
}

/// [`target`] in an expression that admits unsafe promotions.
pub fn target_admitting<const NUMBER: usize, O: FuseOutput>(
    out: &O,
) -> Fused<Admitting<Target<NUMBER, O::DType, O::Rank, O::Rules>>> {
    Fused(Admitting(target::<NUMBER, O>(out).0))
}

/// The output as an operand of a pass before it is written.
pub fn former<const NUMBER: usize, O: FuseOutput>(
    out: &O,
) -> Fused<Leaf<'_, NUMBER, O::DType, O::Rank, O::Rules>> {
    Fused(Leaf::new(out.array().0))
}

/// [`former`] in an expression that admits unsafe promotions.
pub fn former_admitting<const NUMBER: usize, O: FuseOutput>(
    out: &O,
) -> Fused<Admitting<Leaf<'_, NUMBER, O::DType, O::Rank, O::Rules>>> {
    Fused(Admitting(Leaf::new(out.array().0)))
}

impl<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules> Expression
    for Target<NUMBER, D, N, R>
{
    type DType = D;
    type Operand = R::Operand<D, N>;
    type Rank = N;
    type Rules = R;
}

impl<const NUMBER: usize, D: StaticDType, N, R> Compile for Target<NUMBER, D, N, R> {
    type Loop = Input<NUMBER, ElementOf<D>>;
    const COMPILABLE: bool = NUMBER < MAX_INPUTS;

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        sources.output(NUMBER, D::DTYPE);
        Some(Input::NEW)
    }
}

impl<const NUMBER: usize, D: StaticDType, N, R> Record for Target<NUMBER, D, N, R> {
    fn record<'a>(&'a self, to: &mut GraphBuilder<'a>, _: Context) -> Result<GraphValue, Error> {
        Ok(GraphValue(to.graph.target(D::DTYPE, &self.shape)))
    }
}
