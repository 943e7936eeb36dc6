use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.5, 10.0];
    let y: Tensor<F32, Rank1> = fuse!({ let z = x + 5.0; (z - 0.5) * z.ln() - z + 0.9189385 + (1.0 / 12.0 - 1.0 / (360.0 * z * z)) / z - (x * (x + 1.0) * (x + 2.0) * (x + 3.0) * (x + 4.0)).ln() });
}
