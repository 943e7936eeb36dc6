use supremum::{Bool, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<Bool, Rank2> = tensor![[true, false]];
    let y = !&x;
}
