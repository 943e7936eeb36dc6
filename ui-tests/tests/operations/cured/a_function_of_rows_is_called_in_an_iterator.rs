use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[2.0, 1.0], [4.0, 3.0]];
    let results: Vec<Tensor<F32, Rank1>> = a.rows().map(|row| row.sort(0)).collect::<Vec<_>>();
}
