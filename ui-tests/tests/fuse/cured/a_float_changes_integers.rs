use supremum::prelude::*;

fn main() {
    let mut counts: Tensor<I32, Rank1> = tensor![1, 2];
    fuse!(counts = (counts + 0.5).cast::<I32>());
}
