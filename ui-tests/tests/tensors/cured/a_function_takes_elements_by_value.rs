use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank1> = tensor![1.0, 8.0, 27.0];
    let twice: Tensor<F32, Rank1> = a.map(|x: f32| x * 2.0);
    a.map_inplace(|x: f32| x * 2.0);
}
