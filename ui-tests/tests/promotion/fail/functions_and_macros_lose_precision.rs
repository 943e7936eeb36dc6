//! Unsafe promotions in every kind of call: each proposal works at each of them.

use supremum::{ConvOptions, F32, I64, Rank1, Rank3, Tensor, convert_promote_types, einsum, fuse, promote, select, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let weights: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let (signals, filters) = (Tensor::<I64, Rank3>::ones([1, 1, 4]), Tensor::<F32, Rank3>::ones([1, 1, 2]));
    let condition = counts.gt(1);
    let sum = counts.try_add(&weights);
    let greater = counts.maximum(&weights);
    let product = counts.dot(&weights);
    let joined = counts.concat(&weights, 0);
    let convolved = signals.conv1d(&filters, ConvOptions::new());
    let chosen = select(&condition, &counts, &weights);
    let fused = fuse!(counts * weights);
    let outer = einsum!("i,j->ij", counts, weights);
    let both = promote((&counts, &weights));
    let pair = convert_promote_types(&counts, &weights);
}
