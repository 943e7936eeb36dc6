use supremum::{Floating, SafeCommon, Tensor, promote};

fn ends<A: Floating, B: Floating>(a: &Tensor<A>, b: &Tensor<B>) -> String
where
    (A, B): SafeCommon<Output: Floating>,
{
    let (a, b) = promote((a, b));
    (&a + (&b - &a) * 0.5).to_string()
}

fn main() {}
