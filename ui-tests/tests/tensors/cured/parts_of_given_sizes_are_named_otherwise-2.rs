use supremum::{F32, Rank2, Tensor};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([10, 3]);
    let parts: Vec<Tensor<F32, Rank2>> = a.chunk(2, 0);
}
