use supremum::{AllowUnsafe, ConvOptions, F32, I64, Jax, Rank1, Rank3, Tensor, convert_promote_types, einsum, promote, promote_unsafe, select, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let weights: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let (signals, filters) = (Tensor::<I64, Rank3>::ones([1, 1, 4]), Tensor::<F32, Rank3>::ones([1, 1, 2]));
    let condition = counts.gt(1);
    let sum = counts.promote_unsafe().try_add(&weights);
    let greater = promote_unsafe!(counts.maximum(weights));
    let product = promote_unsafe!(counts.dot(&weights));
    let joined = promote_unsafe!(counts.concat(&weights, 0));
    let convolved = promote_unsafe!(signals.conv1d(&filters, ConvOptions::new()));
    let chosen = select(&condition.with_rules::<AllowUnsafe<Jax>>(), &counts.with_rules::<AllowUnsafe<Jax>>(), &weights.with_rules::<AllowUnsafe<Jax>>());
    let fused = promote_unsafe!(counts * weights);
    let outer = einsum!("i,j->ij", counts.with_rules::<AllowUnsafe<Jax>>(), weights.with_rules::<AllowUnsafe<Jax>>());
    let both = promote((&counts.with_rules::<AllowUnsafe<Jax>>(), &weights.with_rules::<AllowUnsafe<Jax>>()));
    let pair = convert_promote_types(&counts.with_rules::<AllowUnsafe<Jax>>(), &weights.with_rules::<AllowUnsafe<Jax>>());
}
