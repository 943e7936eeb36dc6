use supremum::{Arithmetic, Rank1, SafePromote, StaticDType, Tensor, Torch, TorchSubtract};

fn change<A: SafePromote<B, TorchSubtract, Output: Arithmetic<Torch, Rank1>>, B: StaticDType>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>) {
    let change = a - b;
}

fn main() {}
