use supremum::rank::Broadcast;
use supremum::{I64, Promoted, Rank, Rank0, Rules, SafePromote, StaticDType, Tensor, Weak};

fn axpy<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Promoted<Promoted<A, X>, Y>>
where
    A: SafePromote<X>,
    X: StaticDType,
    Y: StaticDType,
    Promoted<A, X>: SafePromote<Y>,
{
    a * x + y
}

fn next<D, N, R>(t: &Tensor<D, N, R>) -> Tensor<Promoted<D, Weak<I64>, R>, N, R>
where
    D: SafePromote<Weak<I64>, R>,
    N: Rank + Broadcast<Rank0, Output = N>,
    R: Rules,
{
    t + 1
}

fn main() {
    let a: Tensor<supremum::F16> = supremum::tensor![2.0];
    let x: Tensor<supremum::BF16> = supremum::tensor![3.0];
    let y: Tensor<supremum::I8> = supremum::tensor![4];
    let sum: Tensor<supremum::F32> = axpy(&a, &x, &y);
    assert_eq!(next(&sum).to_vec(), [11.0]);
}
