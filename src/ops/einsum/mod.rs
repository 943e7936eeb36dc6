//! `einsum!`, `try_einsum!` and the function behind them.

mod contract;
mod equation;
mod order;

pub(crate) use contract::{contract, einsum as einsum_arrays};
pub use equation::Equation;

use crate::dtype::StaticDType;
use crate::error::{Error, named};
use crate::rank::{AnyRank, MayBe, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6};
use crate::rules::operations::MatrixMultiply;
use crate::rules::{Jax, Rules, SafeCommon, SafePromote, SameRules};
use crate::tensor::Tensor;

/// Sums of products over named axes, by Einstein's convention: `einsum!("ij,jk->ik", a, b)` is the matrix product.
///
/// The equation gives a letter to each axis of each operand, and behind `->` to each axis of the result. A letter stands for one index
/// in all operands: the elements at equal indices are multiplied, and the products are summed over the letters that the result lacks. A
/// letter twice in a term takes the diagonal. `...` stands for any number of axes, which broadcast. Without `->` the result has the
/// letters that occur once, in alphabetical order (capital letters first), behind the axes of `...`.
///
/// The compiler checks the equation, the number of operands and their ranks, and knows the rank of the result
/// ([`AnyRank`](crate::AnyRank) if there is a `...`). Operands are tensors or references to them, one to six, under the same rules;
/// `[a, b]` and `&[a, b]` list them too. The result of one operand has its dtype. The result of two has the dtype of [`Tensor::matmul`],
/// and the result of more has the dtype to which all of them promote. Sums of small integers wrap.
///
/// Operands are multiplied two at a time, in the order with the fewest multiplications: in `"ij,jk,k->i"` mostly `jk` by `k` first. If
/// several orders have as few, they are multiplied from the left. Operands that share a letter that is summed over are multiplied by
/// matrix products.
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
/// let _ = einsum!("ij,jk->il", a, a); // `l` at position 8: a letter of the result is in no operand
/// ```
#[macro_export]
macro_rules! einsum {
    // As a function would take them: rustc proposes `einsum!(.., &[a, b])` for `einsum(.., &[a, b])`.
    ($equation:literal, $(&)? [$($operand:expr),+ $(,)?] $(,)?) => { $crate::einsum!($equation, $($operand),+) };
    ($equation:literal, $($operand:expr),+ $(,)?) => {
        // A `match`, because rustc expects the type of a function's result of its argument too.
        match $crate::try_einsum!($equation, $($operand),+) {
            ::core::result::Result::Ok(product) => product,
            ::core::result::Result::Err(error) => $crate::equation::refuse(error),
        }
    };
    ($($other:tt)*) => { $crate::__wrong_einsum! { $($other)* } };
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
/// assert_eq!(error.to_string(), "einsum: subscript `j`: axis 1 of operand 0 has size 3, axis 0 of operand 1 has size 4 (shapes [2, 3] and [4, 5])");
/// ```
#[macro_export]
macro_rules! try_einsum {
    ($equation:literal, $(&)? [$($operand:expr),+ $(,)?] $(,)?) => { $crate::try_einsum!($equation, $($operand),+) };
    ($equation:literal, $($operand:expr),+ $(,)?) => {{
        const EQUATION: $crate::equation::Equation =
            $crate::equation::Equation::checked($equation, [$($crate::try_einsum!(@one $operand)),+].len());
        $crate::try_einsum!(
            @ranked EQUATION none [] [0 einsum_of_1 1 einsum_of_2 2 einsum_of_3 3 einsum_of_4 4 einsum_of_5 5 einsum_of_6] $($operand),+
        )
    }};
    (@one $operand:expr) => { () };
    (@ranked $equation:ident $of_fewer:ident [$($done:tt)*] [$number:tt $function:ident $($more:tt)*] $operand:expr $(, $operands:expr)*) => {
        $crate::try_einsum!(@ranked $equation $function [$($done)* ($number $operand)] [$($more)*] $($operands),*)
    };
    (@ranked $equation:ident $function:ident [$(($number:tt $operand:expr))+] [$($left:tt)*]) => {
        $crate::equation::$function(
            &$equation,
            $crate::equation::Axes::<{ $equation.result_rank() }>,
            $($crate::equation::operand_of::<$crate::equation::RankOf<{ $equation.operand_rank($number) }>, _, _, _>(&$operand)),+
        )
    };
    ($($other:tt)*) => { $crate::__wrong_einsum! { $($other)* } };
}

/// The message of a call without an equation or without operands.
#[doc(hidden)]
#[macro_export]
macro_rules! __wrong_einsum {
    ($equation:literal $(,)?) => {
        ::core::compile_error!("operands follow the equation, as in `einsum!(\"ij,jk->ik\", a, b)`")
    };
    ($($other:tt)*) => {
        ::core::compile_error!("write the equation in quotes and one to six operands after it, as in `einsum!(\"ij,jk->ik\", a, b)`; `DynTensor::einsum(equation, &[&a.into_dyn(), &b.into_dyn()])` takes one in a variable")
    };
}

/// Panics with the text of an error.
#[doc(hidden)]
#[track_caller]
pub fn refuse<T>(error: Error) -> T {
    crate::tensor::or_panic(Err(error))
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

/// An operand of the rank of its term, or the error of another rank.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "only expansions have it")]
pub struct OfRank<D, N, R = Jax>(Result<Tensor<D, N, R>, Error>);

/// The rank of a tensor that the term of an equation names, if each letter names one axis.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the equation names the axes of a tensor of `{Term}`, and this operand is of `{Self}`",
    label = "has an operand of another rank than its letters",
    note = "each letter names an axis, as `ij` of a matrix, and each comma ends an operand: change the letters, or the number of axes by `.unsqueeze(..)`, `.squeeze(..)` or `.reshape(..)`"
)]
pub trait HasTerm<Term: Rank>: MayBe<Term> {}

#[diagnostic::do_not_recommend]
impl<N: MayBe<Term>, Term: Rank> HasTerm<Term> for N {}

/// Returns an operand as one of the rank of its term.
#[doc(hidden)]
pub fn operand_of<M: Rank, D: StaticDType, N: Rank + HasTerm<M>, R: Rules>(
    operand: &Tensor<D, N, R>,
) -> OfRank<D, M, R> {
    OfRank(named("einsum", operand.rank::<M>()))
}

/// Writes the function for a number of operands. It gets the dtype, rank and name of each operand, the rules of all but the first,
/// and the bounds by which they promote.
macro_rules! einsum_of {
    (
        $function:ident ($first:ident $first_rank:ident $a:ident) $(($dtype:ident $rank:ident $rules:ident $tensor:ident))*
        [$($parameter:ident)?] $($bound:tt)+
    ) => {supremum_macros::signatures! {
        $function

        /// Computes a parsed equation.
        ///
        /// # Errors
        /// The errors of `try_einsum!`.
        // The result's dtype is a parameter, so that rustc reports operands that do not promote once.
        #[allow(clippy::too_many_arguments, reason = "the equation, the rank and up to six operands")]
        #[doc(hidden)]
        pub fn $function<const AXES: usize, N, Out, R, $first, $first_rank $(, $dtype, $rank, $rules)* $(, $parameter)?>(
            equation: &Equation,
            _: Axes<AXES>,
            $a: OfRank<$first, $first_rank, R>
            $(, $tensor: OfRank<$dtype, $rank, $rules>)*
        ) -> Result<Tensor<Out, N, R>, Error>
        where
            Axes<AXES>: KnownRank<Rank = N>,
            N: Rank,
            Out: StaticDType,
            R: Rules $(+ SameRules<$rules>)*,
            $first: StaticDType,
            $first_rank: Rank,
            $($dtype: StaticDType, $rank: Rank, $rules: Rules,)*
            $($bound)+
        {
            einsum_arrays(equation, &[$a.0?.array() $(, $tensor.0?.array())*], Out::DTYPE).map(Tensor::from_array)
        }
    }};
}

einsum_of! { einsum_of_1 (A I a) []
    R::Operand<A, I>: MatrixMultiply<R::Operations, Output = Out>,
}
einsum_of! { einsum_of_2 (A I a) (B J T b) [P]
    R::Operand<A, I>: SafePromote<R::Operand<B, J>, R::MatrixMultiply, Output = P>,
    P: MatrixMultiply<R::Operations, Output = Out>,
}
einsum_of! { einsum_of_3 (A I a) (B J T b) (C K U c) []
    (A, B, C): SafeCommon<R::MatrixMultiply, Output: MatrixMultiply<R::Operations, Output = Out>>,
}
einsum_of! { einsum_of_4 (A I a) (B J T b) (C K U c) (D L V d) []
    (A, B, C, D): SafeCommon<R::MatrixMultiply, Output: MatrixMultiply<R::Operations, Output = Out>>,
}
einsum_of! { einsum_of_5 (A I a) (B J T b) (C K U c) (D L V d) (E M W e) []
    (A, B, C, D, E): SafeCommon<R::MatrixMultiply, Output: MatrixMultiply<R::Operations, Output = Out>>,
}
einsum_of! { einsum_of_6 (A I a) (B J T b) (C K U c) (D L V d) (E M W e) (F O X f) []
    (A, B, C, D, E, F): SafeCommon<R::MatrixMultiply, Output: MatrixMultiply<R::Operations, Output = Out>>,
}
