//! Evaluation.

use super::{Expression, Fused};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::{Tensor, or_panic};

/// What can be evaluated: an expression, or a reduction of one.
pub trait Evaluate {
    /// The dtype of the value.
    type DType: StaticDType;
    /// Its rank.
    type Rank: Rank;
    /// Its rules.
    type Rules: Rules;

    /// The value.
    ///
    /// # Errors
    /// Those of the operations.
    #[doc(hidden)]
    fn evaluate(&self) -> Result<Tensor<Self::DType, Self::Rank, Self::Rules>, Error>;
}

impl<E: Expression> Evaluate for Fused<E> {
    type DType = E::DType;
    type Rank = E::Rank;
    type Rules = E::Rules;

    fn evaluate(&self) -> Result<Tensor<E::DType, E::Rank, E::Rules>, Error> {
        let (program, value) = self.program()?;
        program.evaluate(value).map(Tensor::from_array)
    }
}

/// `try_fuse!(..)`.
///
/// # Errors
/// Those of the operations.
pub fn try_run<E: Evaluate>(x: &E) -> Result<Tensor<E::DType, E::Rank, E::Rules>, Error> {
    x.evaluate()
}

/// `fuse!(..)`.
#[track_caller]
pub fn run<E: Evaluate>(x: &E) -> Tensor<E::DType, E::Rank, E::Rules> {
    or_panic(try_run(x))
}

/// `try_promote_unsafe!(..)`: the value is back under the rules of its tensors.
///
/// # Errors
/// Those of the operations.
pub fn try_run_admitting<R: Rules, E: Evaluate<Rules = AllowUnsafe<R>>>(
    x: &E,
) -> Result<Tensor<E::DType, E::Rank, R>, Error> {
    x.evaluate().map(|value| value.under())
}

/// `promote_unsafe!(..)`.
#[track_caller]
pub fn run_admitting<R: Rules, E: Evaluate<Rules = AllowUnsafe<R>>>(
    x: &E,
) -> Tensor<E::DType, E::Rank, R> {
    or_panic(try_run_admitting(x))
}

/// Holds for an output of the expression's dtype.
#[diagnostic::on_unimplemented(
    message = "the expression gives `{Self}`, but the output holds `{D}`",
    label = "another dtype than the output's",
    note = "convert the value: `.cast::<{D}>()` around the whole expression"
)]
pub trait Gives<D> {}
#[diagnostic::do_not_recommend]
impl<D> Gives<D> for D {}

/// `try_fuse!(out = ..)`.
///
/// # Errors
/// Those of the operations; [`Error::ShapeMismatch`] if the output has another shape. It is unchanged then.
pub fn try_run_into<D, N, R, E>(out: &mut Tensor<D, N, R>, x: &Fused<E>) -> Result<(), Error>
where
    D: StaticDType,
    N: Rank,
    R: Rules,
    E: Expression<Rules = R, DType: Gives<D>>,
{
    let (program, value) = x.program()?;
    program.evaluate_into("fuse!", value, out.array_mut())
}

/// `fuse!(out = ..)`.
#[track_caller]
pub fn run_into<D, N, R, E>(out: &mut Tensor<D, N, R>, x: &Fused<E>)
where
    D: StaticDType,
    N: Rank,
    R: Rules,
    E: Expression<Rules = R, DType: Gives<D>>,
{
    or_panic(try_run_into(out, x));
}

/// `try_promote_unsafe!(out = ..)`.
///
/// # Errors
/// As [`try_run_into`].
pub fn try_run_admitting_into<D, N, R, E>(
    out: &mut Tensor<D, N, R>,
    x: &Fused<E>,
) -> Result<(), Error>
where
    D: StaticDType,
    N: Rank,
    R: Rules,
    E: Expression<Rules = AllowUnsafe<R>, DType: Gives<D>>,
{
    let (program, value) = x.program()?;
    program.evaluate_into("fuse!", value, out.array_mut())
}

/// `promote_unsafe!(out = ..)`.
#[track_caller]
pub fn run_admitting_into<D, N, R, E>(out: &mut Tensor<D, N, R>, x: &Fused<E>)
where
    D: StaticDType,
    N: Rank,
    R: Rules,
    E: Expression<Rules = AllowUnsafe<R>, DType: Gives<D>>,
{
    or_panic(try_run_admitting_into(out, x));
}
