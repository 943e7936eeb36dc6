//! Evaluation of expressions, and the entry points that the macros call.

use super::leaf::Bindings;
use super::observer::Observer;
use super::output::FuseOutput;
use super::{
    CallSite, Compilation, DynExpr, ElementOf, Expression, FuseBackend, Fused, In, LoopInputs,
    compile_in,
};
use crate::array::{Array, Dims, OpResult};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::exec::PartMut;
pub(super) use crate::exec::is_tracing;
use crate::kernel::fused::{Cast, Loop, LoopExpression, Node, Values};
use crate::rank::Rank;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::{Tensor, or_panic};

/// An expression that can be evaluated: a [`Fused`] expression, or a reduction of one.
pub trait Evaluate {
    /// The dtype of the value.
    type DType: StaticDType;
    /// Its rank.
    type Rank: Rank;
    /// Its rules.
    type Rules: Rules;

    /// Evaluates the expression, to an array of its dtype and rank or an error of the operations. The observer sees its loops.
    #[doc(hidden)]
    fn evaluate_observed<S: CallSite, B: Bindings>(
        &self,
        bindings: &B,
        observer: impl Observer,
    ) -> OpResult;

    /// [`Self::evaluate_observed`] without an observer.
    #[doc(hidden)]
    #[inline]
    fn evaluate<S: CallSite, B: Bindings>(&self, bindings: &B) -> OpResult {
        self.evaluate_observed::<S, B>(bindings, ())
    }

    /// Returns the backend that [`Self::evaluate`] would use.
    ///
    /// # Errors
    /// The errors that follow from shapes and literals.
    #[doc(hidden)]
    fn backend<S: CallSite, B: Bindings>(&self, bindings: &B) -> Result<FuseBackend, Error>;

    /// Returns zeros of the value's shape.
    ///
    /// # Errors
    /// The errors that follow from shapes and literals; [`Error::OutOfMemory`].
    #[doc(hidden)]
    fn zeros(&self) -> Result<Tensor<Self::DType, Self::Rank, Self::Rules>, Error>;
}

impl<E: Expression> Evaluate for Fused<E> {
    type DType = E::DType;
    type Rank = E::Rank;
    type Rules = E::Rules;

    fn evaluate_observed<S: CallSite, B: Bindings>(
        &self,
        bindings: &B,
        observer: impl Observer,
    ) -> OpResult {
        let interpreted = || self.erased().evaluate();
        S::Compilation::choose(
            || {
                if const { !Self::has_loop::<B>() } || is_tracing() {
                    return interpreted();
                }
                self.compiled::<S, B, _>(bindings, (observer, None), |code| {
                    if let Some(code) = code {
                        observer.compute(code);
                    }
                    match code.and_then(Loop::evaluate) {
                        Some(array) => array.into(),
                        None => interpreted(),
                    }
                })
            },
            interpreted,
        )
    }

    fn backend<S: CallSite, B: Bindings>(&self, bindings: &B) -> Result<FuseBackend, Error> {
        self.backend_of::<S, B>(bindings)
    }

    fn zeros(&self) -> Result<Tensor<E::DType, E::Rank, E::Rules>, Error> {
        let (graph, value) = self.erased().graph()?;
        let zeros = Array::full(ElementOf::<E::DType>::default(), graph.shape(value))?;
        Ok(Tensor::from_array(zeros))
    }
}

impl<E: Expression> Fused<E> {
    /// Returns whether a loop can be compiled for the expression.
    ///
    /// An expression in which an operation can fail and that calls a user's function has none: the function would be called again
    /// by the graph, and before that with values that take the place of errors.
    pub(super) const fn has_loop<B: Bindings>() -> bool {
        let can_fail = B::Loops::CAN_FAIL || E::Loop::CAN_FAIL;
        let calls = B::Loops::CALLS || E::Loop::CALLS;
        B::COMPILABLE && E::COMPILABLE && !(can_fail && calls)
    }

    /// Calls `run` with the compiled loop of the expression, or with `None` if a literal does not convert. The loop also has the
    /// [repeating](Observer::repeating) one of the observer. `out` is the shape of an output.
    #[inline]
    pub(super) fn compiled<S: CallSite, B: Bindings, T>(
        &self,
        bindings: &B,
        (observer, out): (impl Observer, Option<&Dims>),
        run: impl FnOnce(Option<&Loop<'_>>) -> T,
    ) -> T {
        let mut sources = LoopInputs::default();
        let Some((bindings, x)) = self.compile_all::<S, B>(bindings, &mut sources, out) else {
            return run(None);
        };
        let expression = LoopExpression::new(bindings, x);
        let code = Loop::new::<S, _, _>(&expression, &sources);
        let repeating = observer.repeating::<S, B::Loops, Cast<E::Loop, ElementOf<E::DType>>>();
        run(Some(&code.with_repeating(repeating)))
    }

    /// Compiles the bindings and the expression. If their parts are better computed before the loop, it computes these. `out` is the shape of an
    /// output.
    #[inline]
    pub(super) fn compile_all<'a, S: CallSite, B: Bindings>(
        &'a self,
        bindings: &'a B,
        sources: &mut LoopInputs<'a>,
        out: Option<&Dims>,
    ) -> Option<(B::Loops, In<E, ElementOf<E::DType>>)> {
        let compile = |sources: &mut LoopInputs<'a>| {
            let bindings = bindings.compile_all(sources)?;
            let x = compile_in(&self.0, sources, E::DType::DTYPE)?;
            Some((bindings, x))
        };
        let compiled = compile(sources)?;
        if const { S::HOISTS }
            && let Some(shape) = sources.hoists::<B::Loops, In<E, ElementOf<E::DType>>>(out)
        {
            *sources = LoopInputs::hoisting(&shape);
            return compile(sources);
        }
        Some(compiled)
    }

    pub(super) fn evaluate_into<S: CallSite, B: Bindings, O: FuseOutput>(
        &self,
        bindings: &B,
        observer: impl Observer,
        out: &mut O,
    ) -> Result<(), Error> {
        // Only where it is read: most outputs are small.
        let shape = S::HOISTS.then(|| *O::array(out).0.dims());
        let mut out = out.as_output();
        let is_written = S::Compilation::choose(
            || {
                let has_loop = const { Self::has_loop::<B>() };
                has_loop
                    && !is_tracing()
                    && self.compiled::<S, B, _>(bindings, (observer, shape.as_ref()), |code| {
                        code.is_some_and(|code| out.run(code))
                    })
            },
            || false,
        );
        match is_written {
            true => Ok(()),
            false => out.interpret(self.erased()),
        }
    }
}

impl DynExpr<'_> {
    /// Evaluates the expression by interpreting its graph.
    fn evaluate(self) -> OpResult {
        match self.graph() {
            Ok((graph, value)) => graph.evaluate(value).into(),
            Err(error) => error.into(),
        }
    }

    /// [`Self::evaluate`] into an output.
    pub(super) fn evaluate_into(self, out: &mut Array) -> Result<(), Error> {
        let (graph, value) = self.graph_for(out)?;
        graph.evaluate_into("fuse!", value, out)
    }

    /// [`Self::evaluate`] into a part.
    pub(super) fn evaluate_into_part(self, out: &mut PartMut<'_>) -> Result<(), Error> {
        let (graph, value) = self.graph_for(out.as_array())?;
        graph.evaluate_into_part("fuse!", value, out)
    }
}

/// `try_fuse!(..)`.
///
/// # Errors
/// The errors of the operations.
pub fn try_run<S: CallSite, B: Bindings, E: Evaluate, Out: StaticDType>(
    bindings: &B,
    x: &E,
) -> Result<Tensor<Out, E::Rank, E::Rules>, Error>
where
    E::DType: HasDType<Out>,
{
    x.evaluate::<S, B>(bindings).array().map(Tensor::from_array)
}

/// `fuse!(..)`.
// The result's dtype is a parameter, so that a message of ours answers where another one is expected.
#[track_caller]
pub fn run<S: CallSite, B: Bindings, E: Evaluate, Out: StaticDType>(
    bindings: &B,
    x: &E,
) -> Tensor<Out, E::Rank, E::Rules>
where
    E::DType: HasDType<Out>,
{
    Tensor::from_array(x.evaluate::<S, B>(bindings).array_or_panic())
}

/// `try_promote_unsafe!(..)`: the result follows the rules of the tensors again.
///
/// # Errors
/// The errors of the operations.
pub fn try_run_admitting<S: CallSite, B: Bindings, E, R>(
    bindings: &B,
    x: &E,
) -> Result<Tensor<E::DType, E::Rank, R>, Error>
where
    R: Rules,
    E: Evaluate<Rules = AllowUnsafe<R>>,
{
    x.evaluate::<S, B>(bindings).array().map(Tensor::from_array)
}

/// `promote_unsafe!(..)`.
#[track_caller]
pub fn run_admitting<S: CallSite, B: Bindings, E, R>(
    bindings: &B,
    x: &E,
) -> Tensor<E::DType, E::Rank, R>
where
    R: Rules,
    E: Evaluate<Rules = AllowUnsafe<R>>,
{
    Tensor::from_array(x.evaluate::<S, B>(bindings).array_or_panic())
}

/// Implemented if the output or the result has the expression's dtype.
#[diagnostic::on_unimplemented(
    message = "the expression gives `{Self}`, where `{D}` is expected",
    label = "another dtype than the result's",
    note = "convert the value: `.cast::<{D}>()` around the whole expression, which for `x += 0.5` is `x = (x + 0.5).cast::<{D}>()`; a number in a variable has the dtype of its type, so `let lr = lr as f32;` makes it an `F32`"
)]
pub trait HasDType<D> {}
#[diagnostic::do_not_recommend]
impl<D> HasDType<D> for D {}

/// `try_fuse!(out = ..)`.
///
/// # Errors
/// The errors of the operations; [`Error::ShapeMismatch`] if the output has another shape. On error the output is
/// unchanged.
pub fn try_run_into<S, B, E, O>(bindings: &B, out: &mut O, x: &Fused<E>) -> Result<(), Error>
where
    S: CallSite,
    B: Bindings,
    O: FuseOutput,
    E: Expression<Rules = O::Rules, DType: HasDType<O::DType>>,
{
    x.evaluate_into::<S, B, O>(bindings, (), out)
}

/// `fuse!(out = ..)`.
#[track_caller]
pub fn run_into<S, B, E, O>(bindings: &B, out: &mut O, x: &Fused<E>)
where
    S: CallSite,
    B: Bindings,
    O: FuseOutput,
    E: Expression<Rules = O::Rules, DType: HasDType<O::DType>>,
{
    or_panic(try_run_into::<S, B, E, O>(bindings, out, x));
}

/// `try_promote_unsafe!(out = ..)`.
///
/// # Errors
/// The errors of [`try_run_into`].
pub fn try_run_admitting_into<S, B, E, O>(
    bindings: &B,
    out: &mut O,
    x: &Fused<E>,
) -> Result<(), Error>
where
    S: CallSite,
    B: Bindings,
    O: FuseOutput,
    E: Expression<Rules = AllowUnsafe<O::Rules>, DType: HasDType<O::DType>>,
{
    x.evaluate_into::<S, B, O>(bindings, (), out)
}

/// `promote_unsafe!(out = ..)`.
#[track_caller]
pub fn run_admitting_into<S, B, E, O>(bindings: &B, out: &mut O, x: &Fused<E>)
where
    S: CallSite,
    B: Bindings,
    O: FuseOutput,
    E: Expression<Rules = AllowUnsafe<O::Rules>, DType: HasDType<O::DType>>,
{
    or_panic(try_run_admitting_into::<S, B, E, O>(bindings, out, x));
}
