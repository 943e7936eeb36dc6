use supremum::prelude::*;

fn main() {
    let y: Tensor<I64, Rank2> = Tensor::triu_indices(3);
}
