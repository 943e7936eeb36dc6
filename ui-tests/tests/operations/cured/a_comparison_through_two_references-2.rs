use supremum::prelude::*;

fn main() {
    let rows: [Tensor<F32, Rank1>; 1] = [tensor![0.25, 0.75]];
    let large = rows
        .iter()
        .filter(|t| (*t).gt(1).any().item().unwrap())
        .count();
    let large = rows.iter().filter(|t| t.to_vec() == [0.25, 0.75]).count();
    let large = [Tensor::<F32, Rank0>::scalar(0.5)]
        .iter()
        .filter(|t| (*t).lt(1).item().unwrap())
        .count();
}
