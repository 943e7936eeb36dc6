use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    assert_eq!(a.ones_like().to_vec(), [1.0; 3]);
    assert_eq!(a.full_like(0.5).to_vec(), [0.5; 3]);
    let y: Tensor<F32, Rank2> = Tensor::zeros([2, 3]);
    assert_eq!(y.len(), 6);
}
