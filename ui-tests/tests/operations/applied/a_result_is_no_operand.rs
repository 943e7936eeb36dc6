use supremum::{F64, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F64, Rank1> = tensor![1.0, 2.0];
    let total = a.sum().item().unwrap();
    let centred = &a - total;
}
