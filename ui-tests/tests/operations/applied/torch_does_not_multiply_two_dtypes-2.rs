use supremum::{Floating, Promoted, Rank2, SafePromote, Tensor, Torch, TorchEqual};

fn product<A, B>(
    a: &Tensor<A, Rank2, Torch>,
    b: &Tensor<B, Rank2, Torch>,
) -> Tensor<Promoted<A, B, TorchEqual>, Rank2, Torch>
where
    A: SafePromote<B, TorchEqual, Output: Floating<Torch, Rank2>>,
{
    a.matmul(b)
}

fn main() {}
