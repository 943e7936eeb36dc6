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
    // Methods of results, before the types of literals are settled.
    let x = t.cast::<F32>();
    let _: Tensor<F32> = (&x * 0.5).sqrt();
    let _: Tensor<F32> = (2.0 - &x).exp();
    let _: Tensor<F32> = (-1 + &x).exp();
    let _: Tensor<F32> = 1.0 / (1.0 + (-&x).exp());
    let (two, half) = (2, 0.5);
    let _: Tensor<F32> = (two * &x - half).exp();
    let _: Tensor<F32> = (half - x * two).exp();
    let _: f32 = 2.0 * 3.0;
    let _: u8 = 2 + 3;
}
