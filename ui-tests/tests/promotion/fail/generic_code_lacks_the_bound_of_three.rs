use supremum::{Tensor, promote};

fn sum<A, B, C>(a: &Tensor<A>, b: &Tensor<B>, c: &Tensor<C>) {
    let (a, b, c) = promote((a, b, c));
}

fn main() {}
