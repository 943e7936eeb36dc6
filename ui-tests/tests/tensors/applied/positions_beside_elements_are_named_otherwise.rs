use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    for (i, row) in x.rows().enumerate() {
        for (j, value) in row.iter().enumerate() {}
    }
}
