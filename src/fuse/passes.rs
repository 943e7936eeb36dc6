//! Passes: the reductions within an expression, which are evaluated before it.
//!
//! The macros write a pass as a statement in front of the rest: `run` or [`run_together`] gives a tensor, and
//! [`evaluated`] makes an operand of it. So dtypes, promotions, errors and traces are those of statements that users write.

use super::leaf::{Admitting, Bindings, Leaf};
use super::observer::Observer;
use super::reduce::Reduced;
use super::run::Evaluate;
use super::{CallSite, Expression, FuseBackend, Fused, LoopInputs};
use crate::dtype::StaticDType;
use crate::error::Error;
pub use crate::kernel::fused::Unread;
use crate::kernel::fused::reduce::Reduction;
use crate::rank::Rank;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::{Tensor, or_panic};

/// The value of a pass as an operand of the expressions after it.
pub fn evaluated<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules>(
    value: &Tensor<D, N, R>,
) -> Fused<Leaf<'_, NUMBER, D, N, R>> {
    Fused(Leaf::new(value.array()))
}

/// A part that is a tensor.
pub trait WholeTensor {
    /// The tensor. Under `promote_unsafe!` it admits unsafe promotions, as the part does.
    type Tensor;
    /// Returns the tensor, which shares its elements.
    fn tensor(&self) -> Self::Tensor;
}

impl<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules> WholeTensor
    for Leaf<'_, NUMBER, D, N, R>
{
    type Tensor = Tensor<D, N, R>;

    fn tensor(&self) -> Tensor<D, N, R> {
        Tensor::from_array(self.array.clone())
    }
}

impl<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules> WholeTensor
    for Admitting<Leaf<'_, NUMBER, D, N, R>>
{
    type Tensor = Tensor<D, N, AllowUnsafe<R>>;

    fn tensor(&self) -> Tensor<D, N, AllowUnsafe<R>> {
        Tensor::from_array(self.0.array.clone())
    }
}

/// An operand as the tensor that it is.
pub fn tensor_of<E: WholeTensor>(operand: &Fused<E>) -> E::Tensor {
    operand.0.tensor()
}

/// A tensor as one that admits unsafe promotions, which shares its elements.
pub fn tensor_admitting<D: StaticDType, N: Rank, R: Rules>(
    tensor: &Tensor<D, N, R>,
) -> Tensor<D, N, AllowUnsafe<R>> {
    Tensor::from_array(tensor.array().clone())
}

impl<B: Bindings> Bindings for (B, Unread) {
    type Loops = (B::Loops, Unread);
    const COMPILABLE: bool = B::COMPILABLE;

    #[inline]
    fn compile_all<'a>(&'a self, sources: &mut LoopInputs<'a>) -> Option<Self::Loops> {
        Some((self.0.compile_all(sources)?, Unread))
    }
}

/// [`try_run_together`].
#[track_caller]
pub fn run_together<S: CallSite, B: Bindings, P: Together>(bindings: &B, both: P) -> P::Values {
    or_panic(try_run_together::<S, B, P>(bindings, both))
}

/// Evaluates two reductions of the same elements, by one loop if there is one.
///
/// # Errors
/// The errors of the operations.
pub fn try_run_together<S: CallSite, B: Bindings, P: Together>(
    bindings: &B,
    both: P,
) -> Result<P::Values, Error> {
    both.evaluate::<S, B>(bindings, [(); 2])
}

/// A mean and a variance or standard deviation of the same elements along the same axes, in either order.
pub trait Together {
    /// The tensors that they give.
    type Values;

    /// Evaluates both, with an observer for each of the two.
    #[doc(hidden)]
    fn evaluate<S: CallSite, B: Bindings>(
        self,
        bindings: &B,
        observers: [impl Observer; 2],
    ) -> Result<Self::Values, Error>;
}

impl<E, First, Second, Out, Other, N, const ALONG_AXES: bool> Together
    for (
        &Reduced<E, First, Out, N, ALONG_AXES>,
        &Reduced<E, Second, Other, N, ALONG_AXES>,
    )
where
    E: Expression,
    First: Reduction,
    Second: Reduction,
    Out: StaticDType,
    Other: StaticDType,
    N: Rank,
{
    type Values = (Tensor<Out, N, E::Rules>, Tensor<Other, N, E::Rules>);

    fn evaluate<S: CallSite, B: Bindings>(
        self,
        bindings: &B,
        [of_first, of_second]: [impl Observer; 2],
    ) -> Result<Self::Values, Error> {
        let (first, second) = self;
        let operation = first.name();
        let together = if const { Second::DEVIATES } {
            let observer = of_second.with_mean(of_first);
            second.with_mean::<S, B, _, _>(bindings, first, operation, observer)
        } else {
            let observer = of_first.with_mean(of_second);
            let together = first.with_mean::<S, B, _, _>(bindings, second, operation, observer);
            together.map(|arrays| arrays.map(|(second, first)| (first, second)))
        };
        let (first, second) = match together {
            Some(arrays) => arrays?,
            None => {
                let first = first
                    .evaluate_observed::<S, B>(bindings, of_first)
                    .array()?;
                let second = second
                    .evaluate_observed::<S, B>(bindings, of_second)
                    .array()?;
                (first, second)
            }
        };
        Ok((Tensor::from_array(first), Tensor::from_array(second)))
    }
}

/// The backend of a pass, and a value of its shape for the expressions that read it.
///
/// # Errors
/// The errors that follow from shapes and literals, without looking at elements.
#[expect(clippy::type_complexity, reason = "a tensor and the backend")]
pub fn pass_backend<S: CallSite, B: Bindings, E: Evaluate>(
    bindings: &B,
    x: &E,
) -> Result<(Tensor<E::DType, E::Rank, E::Rules>, FuseBackend), Error> {
    let backend = x.backend::<S, B>(bindings)?;
    Ok((x.zeros()?, backend))
}

/// [`pass_backend`] of two reductions that are computed together.
///
/// # Errors
/// The errors of [`pass_backend`].
#[expect(clippy::type_complexity, reason = "two tensors and the backend")]
pub fn passes_backend<S: CallSite, B: Bindings, E: Evaluate, F: Evaluate>(
    bindings: &B,
    first: &E,
    second: &F,
) -> Result<
    (
        (
            Tensor<E::DType, E::Rank, E::Rules>,
            Tensor<F::DType, F::Rank, F::Rules>,
        ),
        FuseBackend,
    ),
    Error,
> {
    let (first, backend) = pass_backend::<S, B, E>(bindings, first)?;
    let (second, other) = pass_backend::<S, B, F>(bindings, second)?;
    Ok(((first, second), first_interpreted(&[backend], other)))
}

/// The backend of a whole expression: the backend of the first pass that is not compiled, or else of the rest.
///
/// # Errors
/// The errors of `rest`.
pub fn backend_of_passes(
    passes: &[FuseBackend],
    rest: Result<FuseBackend, Error>,
) -> Result<FuseBackend, Error> {
    rest.map(|rest| first_interpreted(passes, rest))
}

fn first_interpreted(passes: &[FuseBackend], rest: FuseBackend) -> FuseBackend {
    let mut passes = passes.iter().copied();
    passes
        .find(|backend| *backend != FuseBackend::Compiled)
        .unwrap_or(rest)
}
