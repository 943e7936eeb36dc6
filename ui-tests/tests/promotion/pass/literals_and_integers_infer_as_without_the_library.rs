use supremum::prelude::*;

fn main() {
    let n = 3_usize;
    let _ = 2 * n + 1;
    let _ = 2.0 * 3.0_f32;
    let t: Tensor<U8> = tensor![1, 2];
    let _: Tensor<U8> = 2 * &t + 1;
    let _: Tensor<Weak<F64>> = &t * 0.5;
    let _: Tensor<F32, _> = &t.cast::<F32>() - 1;
    let _: Tensor<Bool> = t.lt(2) & true;
}
