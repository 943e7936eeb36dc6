use supremum::{Bool, F32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let a = x.gt(1.0);
    let y: Tensor<Bool, Rank2> = !&a;
}
