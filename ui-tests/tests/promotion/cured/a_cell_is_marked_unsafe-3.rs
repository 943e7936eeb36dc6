use supremum::{F32, I8, Rank1, Tensor, promotion_rules, tensor};

promotion_rules! {
    /// Integers are labels.
    pub struct Labels = "labels";
    extend Jax { I8 F32 => unsafe F32 }
}

fn main() {
    let a: Tensor<I8, Rank1, Labels> = tensor![1, 2];
    let b: Tensor<F32, Rank1, Labels> = tensor![0.5, 0.25];
    let product = a.promote_unsafe() * b;
}
