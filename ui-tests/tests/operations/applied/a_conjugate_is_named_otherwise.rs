use supremum::prelude::*;

fn main() {
    let z: Tensor<C64, Rank2> = tensor![[c64::new(1.0, 2.0), c64::new(3.0, 4.0)]];
    let y = z.matrix_transpose().conj();
    assert_eq!(y.to_vec(), [c64::new(1.0, -2.0), c64::new(3.0, -4.0)]);
}
