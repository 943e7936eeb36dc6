use supremum::{F32, Rank2, Tensor};

fn main() {
    let t = Tensor::<F32, Rank2>::ones([2, 3]);
    let _: Tensor<F32, Rank2> = t.sum_keepdims(0.5);
}
