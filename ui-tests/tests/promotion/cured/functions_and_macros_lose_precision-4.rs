use supremum::{AllowUnsafe, ConvOptions, F32, I64, Jax, Rank1, Rank3, Tensor, convert_promote_types, einsum, fuse, promote, select, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let weights: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let (signals, filters) = (Tensor::<I64, Rank3>::ones([1, 1, 4]), Tensor::<F32, Rank3>::ones([1, 1, 2]));
    let condition = counts.gt(1);
    let sum = counts.with_rules::<AllowUnsafe<Jax>>().try_add(&weights.with_rules::<AllowUnsafe<Jax>>());
    let greater = counts.with_rules::<AllowUnsafe<Jax>>().maximum(&weights.with_rules::<AllowUnsafe<Jax>>());
    let product = counts.with_rules::<AllowUnsafe<Jax>>().dot(&weights.with_rules::<AllowUnsafe<Jax>>());
    let joined = counts.with_rules::<AllowUnsafe<Jax>>().concat(&weights.with_rules::<AllowUnsafe<Jax>>(), 0);
    let convolved = signals.with_rules::<AllowUnsafe<Jax>>().conv1d(&filters.with_rules::<AllowUnsafe<Jax>>(), ConvOptions::new());
    let chosen = select(&condition.with_rules::<AllowUnsafe<Jax>>(), &counts.with_rules::<AllowUnsafe<Jax>>(), &weights.with_rules::<AllowUnsafe<Jax>>());
    let fused = fuse!(counts.with_rules::<AllowUnsafe<Jax>>() * weights.with_rules::<AllowUnsafe<Jax>>());
    let outer = einsum!("i,j->ij", counts.with_rules::<AllowUnsafe<Jax>>(), weights.with_rules::<AllowUnsafe<Jax>>());
    let both = promote((&counts.with_rules::<AllowUnsafe<Jax>>(), &weights.with_rules::<AllowUnsafe<Jax>>()));
    let pair = convert_promote_types(&counts.with_rules::<AllowUnsafe<Jax>>(), &weights.with_rules::<AllowUnsafe<Jax>>());
}
