use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let order: Tensor<F32, Rank1> = tensor![1.0, 0.0];
    let rows = x.take(&order.cast::<I64>(), 0);
}
