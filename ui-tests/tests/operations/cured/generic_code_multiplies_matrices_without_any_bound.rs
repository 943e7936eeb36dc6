use supremum::{Floating, Promoted, Rank2, SafePromote, StaticDType, Tensor};

fn product<A: SafePromote<B, Output: Floating>, B: StaticDType>(a: &Tensor<A, Rank2>, b: &Tensor<B, Rank2>) -> Tensor<Promoted<A, B>, Rank2> {
    a.matmul(b)
}

fn main() {}
