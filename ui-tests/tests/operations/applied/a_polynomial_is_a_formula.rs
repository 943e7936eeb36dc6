use supremum::prelude::*;

fn main() {
    let (a, b, c) = (2.0_f32, 0.5_f32, 1.0_f32);
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let c = Tensor::<F32, Rank1>::from([a, b, c]);
    let y: Tensor<F32, Rank1> =
        (0..c.len()).fold(x.zeros_like(), |y, i| y * &x + c.slice(0, i..i + 1));
}
