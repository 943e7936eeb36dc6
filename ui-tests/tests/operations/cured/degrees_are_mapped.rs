use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![180.0, 90.0];
    let y: Tensor<F32, Rank1> = a.map(f32::to_radians);
}
