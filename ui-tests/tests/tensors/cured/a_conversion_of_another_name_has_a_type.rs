use supremum::{F32, F64, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let d = a.cast::<F64>();
    println!("{d}");
    assert_eq!(d.shape(), [2, 3]);
}
