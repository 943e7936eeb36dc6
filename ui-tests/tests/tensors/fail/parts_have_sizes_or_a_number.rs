use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::zeros([6, 2]);
    for part in x.split(2, 0) {
        assert_eq!(part.shape(), [2, 2]);
    }
}
