use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[2.0, 1.0], [4.0, 3.0]];
    let results = a.rows().map(|row| row.sort(0)).collect::<Vec<_>>();
    let y = stack(&results, 0);
    assert_eq!(y, a.sort(1));
    assert_eq!(a.move_axis(0, -1).rows().next().unwrap().to_vec(), [2.0, 4.0]);
}
