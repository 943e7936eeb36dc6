//! A struct of one's own is named as the rules.
supremum::prelude!();

struct Mine;

fn main() {
    let x: Tensor<F32, Rank1, Mine> = tensor![1.0, 2.0];
    x.sum();
}
