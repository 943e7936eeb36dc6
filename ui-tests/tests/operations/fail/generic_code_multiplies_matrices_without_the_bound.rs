//! A matrix product needs a bound on what its operands promote to.
use supremum::{Promoted, Rank2, SafePromote, Tensor};

fn product<A: SafePromote<B>, B>(a: &Tensor<A, Rank2>, b: &Tensor<B, Rank2>) -> Tensor<Promoted<A, B>, Rank2> {
    a.matmul(b)
}

fn main() {}
