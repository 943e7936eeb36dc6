use supremum::{F32, I8, Rank1, StaticVerdict, Tensor, Verdict, promote_unsafe, promotion_rules, tensor};

/// Somebody wrote an integer by mistake.
pub struct ForgotTheDecimalPoint;

impl StaticVerdict for ForgotTheDecimalPoint {
    const VERDICT: Verdict = Verdict::Refused("integers are labels here, not numbers");
}

promotion_rules! {
    /// Integers are labels.
    pub struct Labels = "labels";
    marks { labels: ForgotTheDecimalPoint }
    extend Jax { I8 F32 => F32^labels }
}

fn main() {
    let a: Tensor<I8, Rank1, Labels> = tensor![1, 2];
    let b: Tensor<F32, Rank1, Labels> = tensor![0.5, 0.25];
    let product = promote_unsafe!(a * b);
}
