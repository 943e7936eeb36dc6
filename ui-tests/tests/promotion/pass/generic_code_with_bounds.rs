use supremum::operations::Add;
use supremum::rank::Broadcast;
use supremum::{
    Arithmetic, Common, F16, F32, Floating, Promoted, Rank, Rank0, Rank1, Rank2, Rules, SafeCommon, SafePromote, StaticDType,
    Tensor, fuse, promote,
};

fn axpy<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Promoted<Promoted<A, X>, Y>>
where
    A: SafePromote<X>,
    Promoted<A, X>: SafePromote<Y>,
{
    a * x + y
}

/// Converted to the common dtype first.
fn axpy_in_common<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Common<(A, X, Y)>>
where
    (A, X, Y): SafeCommon,
{
    let (a, x, y) = promote((a, x, y));
    a * x + y
}

/// The shorthand of the next one, for dtypes that it gives back.
fn next_of_arithmetic<D: Arithmetic<R, N>, N: Rank, R: Rules>(t: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    t + 1
}

/// Generic over the rules: what each operand is under them, which rules promote for `+`, and what `+` gives.
fn next<D, N, R>(t: &Tensor<D, N, R>) -> Tensor<Next<D, N, R>, N, R>
where
    D: StaticDType,
    N: Rank + Broadcast<Rank0, Output = N>,
    R: Rules,
    R::Operand<D, N>: SafePromote<R::Int, R::Add>,
    Promoted<R::Operand<D, N>, R::Int, R::Add>: Add<R::Operations>,
{
    t + 1
}

type Next<D, N, R> = <Promoted<
    <R as Rules>::Operand<D, N>,
    <R as Rules>::Int,
    <R as Rules>::Add,
> as Add<<R as Rules>::Operations>>::Output;

/// A scalar on the right needs no bound on the rank.
fn scaled<N: Rank>(x: &Tensor<F32, N>, by: f32) -> Tensor<F32, N> {
    fuse!(x * 2.0 * by)
}

/// A vector beside a tensor of any rank, under any rules.
fn normed<D, N, R>(x: &Tensor<D, N, R>, gamma: &Tensor<D, Rank1, R>) -> Tensor<D, N, R>
where
    D: Floating<R, N>,
    N: Rank + Broadcast<Rank1, Output = N>,
    R: Rules,
{
    x * gamma - gamma
}

/// A product of matrices of two dtypes.
fn dense<X, W>(x: &Tensor<X, Rank2>, w: &Tensor<W, Rank2>) -> Tensor<Promoted<X, W>, Rank2>
where
    X: SafePromote<W, Output: Floating>,
{
    x.matmul(w)
}

fn main() {
    let matrix: Tensor<F32, Rank2> = supremum::tensor![[1.0, 2.0]];
    let weights: Tensor<F16, Rank2> = supremum::tensor![[1.0], [0.5]];
    assert_eq!(dense(&matrix, &weights).to_vec(), [2.0]);
    assert_eq!(scaled(&matrix, 0.5).to_vec(), [1.0, 2.0]);
    assert_eq!(normed(&matrix, &supremum::tensor![2.0, 3.0]).to_vec(), [0.0, 3.0]);
    let a: Tensor<F16> = supremum::tensor![2.0];
    let x: Tensor<supremum::BF16> = supremum::tensor![3.0];
    let y: Tensor<supremum::I8> = supremum::tensor![4];
    let sum: Tensor<F32> = axpy(&a, &x, &y);
    assert_eq!(axpy_in_common(&a, &x, &y), sum);
    assert_eq!(next(&sum).to_vec(), [11.0]);
    assert_eq!(next_of_arithmetic(&sum).to_vec(), [11.0]);
}
