use supremum::{Floating, Rank1, SafePromote, Tensor, Torch};

fn growth<A: SafePromote<B, Torch, Output: Floating<Torch>>, B>(
    a: &Tensor<A, Rank1, Torch>,
    b: &Tensor<B, Rank1, Torch>,
) {
    let growth = (a + b).exp();
}

fn main() {}
