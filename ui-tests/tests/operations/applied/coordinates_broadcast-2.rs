use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let y: Tensor<F32, Rank1> = tensor![5.0, 7.0];
    let [rows, columns] = [2, 3];
    let first: Tensor<F32, Rank2> = x.broadcast_to([rows, columns]);
    let second: Tensor<F32, Rank2> = y.unsqueeze(1).broadcast_to([rows, columns]);
}
