use supremum::{ConvOptions, F32, I64, Rank1, Rank3, Tensor, convert_promote_types, einsum, fuse, promote, select, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let weights: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let (signals, filters) = (Tensor::<I64, Rank3>::ones([1, 1, 4]), Tensor::<F32, Rank3>::ones([1, 1, 2]));
    let condition = counts.gt(1);
    let sum = counts.cast::<F32>().try_add(&weights);
    let greater = counts.cast::<F32>().maximum(&weights);
    let product = counts.cast::<F32>().dot(&weights);
    let joined = counts.cast::<F32>().concat(&weights, 0);
    let convolved = signals.cast::<F32>().conv1d(&filters, ConvOptions::new());
    let chosen = select(&condition, &counts.cast::<F32>(), &weights);
    let fused = fuse!(counts.cast::<F32>() * weights);
    let outer = einsum!("i,j->ij", counts.cast::<F32>(), weights);
    let both = promote((&counts.cast::<F32>(), &weights));
    let pair = convert_promote_types(&counts.cast::<F32>(), &weights);
}
