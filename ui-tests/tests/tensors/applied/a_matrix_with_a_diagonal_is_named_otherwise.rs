use supremum::prelude::*;

fn main() {
    let v: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = Tensor::<F32, Rank2>::eye(3) * 2.0;
    assert_eq!(y.sum().item(), Ok(6.0));
}
