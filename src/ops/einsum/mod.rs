//! `einsum!`, `try_einsum!` and the function behind them.

mod contract;
mod equation;

pub(crate) use contract::{contract, einsum as einsum_arrays};
pub use equation::Equation;

use crate::array::Array;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::rank::{AnyRank, MayBe, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6};
use crate::rules::operations::MatrixMultiply;
use crate::rules::{Common, Rules, SafeCommon, SafePromote};
use crate::tensor::Tensor;

/// Sums of products over named axes, by Einstein's convention: `einsum!("ij,jk->ik", a, b)` is the matrix product.
///
/// The equation gives a letter to each axis of each operand, and behind `->` those of the result. Elements with equal indices of
/// equal letters are multiplied; letters that the result lacks are summed over. A letter twice in a term takes the diagonal. `...`
/// stands for any axes, which broadcast. Without `->` the result has the letters that occur once, in alphabetical order (capital letters
/// first), behind the axes of `...`.
///
/// The compiler checks the equation, the number of operands and their ranks, and knows the rank of the result
/// ([`AnyRank`](crate::AnyRank) if there is a `...`). Operands are tensors or references to them, one to six, under the same rules. The dtype of the result is that
/// of a matrix product: of one operand its own, of two as [`Tensor::matmul`] has it, of more what all of them promote to. Sums of small
/// integers wrap.
///
/// Operands are multiplied from the left, two at a time, by matrix products where they share a letter that is summed over; write those first
/// whose product is small.
///
/// # Panics
/// With the text of [`try_einsum!`](crate::try_einsum)'s error, which it returns instead.
///
/// ```
/// use supremum::{BF16, F32, Rank0, Rank1, Rank2, Rank4, Tensor, einsum, tensor};
/// let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let b: Tensor<BF16, Rank2> = tensor![[1.0, 0.0], [1.0, -1.0]];
/// let product: Tensor<F32, Rank2> = einsum!("ij,jk->ik", a, b);
/// assert_eq!(product, a.matmul(&b));
/// let trace: Tensor<F32, Rank0> = einsum!("ii->", &a);
/// assert_eq!(trace.item(), Ok(5.0));
/// let form: Tensor<F32, Rank1> = einsum!("ni,ij,nj->n", a, b, a);
/// assert_eq!(form.to_vec(), [-1.0, 5.0]);
///
/// // The scores of attention: batch, queries, heads, features by batch, keys, heads, features.
/// let q = Tensor::<F32, Rank4>::ones([2, 5, 3, 8]);
/// let k = Tensor::<F32, Rank4>::ones([2, 7, 3, 8]);
/// let scores: Tensor<F32, Rank4> = einsum!("bqhd,bkhd->bhqk", q, k);
/// assert_eq!(scores.shape(), [2, 3, 5, 7]);
/// ```
///
/// A mistake in the equation is an error of the compiler:
///
/// ```compile_fail,E0080
/// # use supremum::{F32, Rank2, Tensor, einsum};
/// let a = Tensor::<F32, Rank2>::ones([2, 2]);
/// let _ = einsum!("ij,jk->il", a, a); // character 8: a letter of the result is in no operand
/// ```
#[macro_export]
macro_rules! einsum {
    ($equation:expr, $($operand:expr),+ $(,)?) => {
        $crate::einsum::expect_einsum($crate::try_einsum!($equation, $($operand),+))
    };
}

/// [`einsum!`](crate::einsum), fallible: it returns a `Result`.
///
/// # Errors
/// [`Error::SubscriptSize`] if axes with one letter have several sizes; [`Error::RankMismatch`] for a tensor of
/// [`AnyRank`](crate::AnyRank) that does not have the rank of its term; [`Error::RankTooLarge`] if a product of two operands has more
/// than 8 axes; [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
///
/// ```
/// use supremum::{F32, Rank2, Tensor, try_einsum};
/// let (a, b) = (Tensor::<F32, Rank2>::ones([2, 3]), Tensor::<F32, Rank2>::ones([4, 5]));
/// let error = try_einsum!("ij,jk", a, b).unwrap_err();
/// assert_eq!(error.to_string(), "einsum: `j` has size 4 in operand 1, and 3 before");
/// ```
#[macro_export]
macro_rules! try_einsum {
    ($equation:expr, $($operand:expr),+ $(,)?) => {{
        const EQUATION: $crate::einsum::Equation =
            $crate::einsum::Equation::checked($equation, [$($crate::try_einsum!(@one $operand)),+].len());
        $crate::try_einsum!(@ranked EQUATION [] [0 1 2 3 4 5] $($operand),+)
    }};
    (@one $operand:expr) => { () };
    (@ranked $equation:ident [$($done:tt)*] [$number:tt $($numbers:tt)*] $operand:expr $(, $more:expr)*) => {
        $crate::try_einsum!(@ranked $equation [$($done)* ($number $operand)] [$($numbers)*] $($more),*)
    };
    (@ranked $equation:ident [$(($number:tt $operand:expr))+] [$($left:tt)*]) => {
        $crate::einsum::einsum::<_, $crate::einsum::RankOf<{ $equation.result_rank() }>>(
            &$equation,
            ($($crate::einsum::operand_of::<$crate::einsum::RankOf<{ $equation.operand_rank($number) }>, _, _, _>(&$operand),)+),
        )
    };
}

/// Unwraps the result of `try_einsum!`.
///
/// # Panics
/// With the text of the error.
#[doc(hidden)]
#[track_caller]
pub fn expect_einsum<T>(result: Result<T, Error>) -> T {
    crate::tensor::or_panic(result)
}

/// A number of axes as a type; `usize::MAX` is any number.
#[doc(hidden)]
#[derive(Debug)]
pub struct Axes<const RANK: usize>;

/// A number of axes that a rank has.
#[doc(hidden)]
pub trait KnownRank {
    type Rank: Rank;
}

/// The rank of a number of axes.
#[doc(hidden)]
pub type RankOf<const RANK: usize> = <Axes<RANK> as KnownRank>::Rank;

macro_rules! known_ranks {
    ($($number:literal $rank:ident)*) => {$(
        impl KnownRank for Axes<$number> {
            type Rank = $rank;
        }
    )*};
}

known_ranks! { 0 Rank0 1 Rank1 2 Rank2 3 Rank3 4 Rank4 5 Rank5 6 Rank6 7 AnyRank 8 AnyRank }

impl KnownRank for Axes<{ usize::MAX }> {
    type Rank = AnyRank;
}

/// Returns an operand as one of the rank of its term.
///
/// # Errors
/// [`Error::RankMismatch`].
#[doc(hidden)]
pub fn operand_of<M: Rank, D: StaticDType, N: Rank + MayBe<M>, R: Rules>(
    operand: &Tensor<D, N, R>,
) -> Result<Tensor<D, M, R>, Error> {
    operand.rank::<M>()
}

/// A product without its type; opaque.
#[doc(hidden)]
#[derive(Debug)]
pub struct ErasedProduct(Array);

/// The operands of an equation, as a tuple.
#[doc(hidden)]
pub trait EinsumOperands {
    type Rules: Rules;
    type Output: StaticDType;

    fn run(self, equation: &Equation) -> Result<ErasedProduct, Error>;
}

/// Computes a parsed equation.
///
/// # Errors
/// Those of `try_einsum!`.
#[doc(hidden)]
pub fn einsum<T: EinsumOperands, N: Rank>(
    equation: &Equation,
    operands: T,
) -> Result<Tensor<T::Output, N, T::Rules>, Error> {
    let product = operands.run(equation)?;
    Ok(Tensor::from_array(product.0))
}

type Checked<D, N, R> = Result<Tensor<D, N, R>, Error>;

macro_rules! run {
    ($($tensor:ident)+) => {
        fn run(self, equation: &Equation) -> Result<ErasedProduct, Error> {
            let ($($tensor,)+) = self;
            einsum_arrays(equation, &[$($tensor?.array()),+], Self::Output::DTYPE).map(ErasedProduct)
        }
    };
}

#[diagnostic::do_not_recommend]
impl<A: StaticDType, N: Rank, R: Rules> EinsumOperands for (Checked<A, N, R>,)
where
    R::Operand<A, N>: MatrixMultiply<R::Operations>,
{
    type Rules = R;
    type Output = <R::Operand<A, N> as MatrixMultiply<R::Operations>>::Output;

    run! { a }
}

#[diagnostic::do_not_recommend]
impl<A: StaticDType, N: Rank, B: StaticDType, M: Rank, R: Rules, P> EinsumOperands
    for (Checked<A, N, R>, Checked<B, M, R>)
where
    R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
    P: MatrixMultiply<R::Operations>,
{
    type Rules = R;
    type Output = P::Output;

    run! { a b }
}

macro_rules! several_operands {
    ($($($dtype:ident $rank:ident $tensor:ident)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($dtype: StaticDType, $rank: Rank,)+ R: Rules> EinsumOperands for ($(Checked<$dtype, $rank, R>,)+)
        where
            ($($dtype,)+): SafeCommon<R::MatrixMultiply, Output: MatrixMultiply<R::Operations>>,
        {
            type Rules = R;
            type Output = <Common<($($dtype,)+), R::MatrixMultiply> as MatrixMultiply<R::Operations>>::Output;

            run! { $($tensor)+ }
        }
    )+};
}

several_operands! {
    A N a B M b C K c;
    A N a B M b C K c D L d;
    A N a B M b C K c D L d E I e;
    A N a B M b C K c D L d E I e F J f;
}
