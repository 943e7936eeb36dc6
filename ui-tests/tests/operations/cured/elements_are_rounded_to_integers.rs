use supremum::prelude::*;

fn main() {
    let t: Tensor<F64, Rank1> = tensor![0.125, 2.375];
    assert_eq!(((&t * 100.0).round() / 100.0).to_vec(), [0.12, 2.38]);
}
