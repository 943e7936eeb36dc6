use supremum::prelude::*;

fn main() {
    let z: Tensor<C64, Rank2> = tensor![[c64::new(1.0, 2.0)]];
    let y = z.conjugate();
}
