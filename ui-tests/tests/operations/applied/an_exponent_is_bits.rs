use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![6.0, -0.1, 1.0];
    let y: Tensor<I32, Rank1> = ((a.map(f32::to_bits) >> 23) & 255).cast::<I32>() - 126;
    assert_eq!(y.to_vec(), [3, -3, 1]);
    let e: Tensor<F32, Rank1> = tensor![3.0, -3.0, 1.0];
    let y = &a * (-&e).exp2();
    assert_eq!(y.to_vec(), [0.75, -0.8, 0.5]);
}
