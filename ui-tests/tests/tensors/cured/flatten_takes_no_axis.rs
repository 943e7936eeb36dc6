use supremum::{F32, Rank2, Rank3, Tensor};

fn main() {
    let n = 2;
    let images = Tensor::<F32, Rank3>::ones([n, 4, 4]);
    let rows: Tensor<F32, Rank2> = images.reshape((n, -1));
}
