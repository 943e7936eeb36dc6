supremum::prelude!();

fn main() {
    let w: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let y: Tensor<F32, Rank1> = fuse!(let x = w + b; x * 2.0);
}
