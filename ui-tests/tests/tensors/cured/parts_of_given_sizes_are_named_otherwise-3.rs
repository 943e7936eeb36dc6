use supremum::{F32, Rank2, Tensor};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([10, 3]);
    let part: Tensor<F32, Rank2> = a.slice(0, ..8);
}
