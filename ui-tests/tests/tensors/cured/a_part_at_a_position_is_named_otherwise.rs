use supremum::{F32, Rank3, Tensor};

fn main() {
    let batch = Tensor::<F32, Rank3>::ones([4, 2, 2]);
    let sample = batch.index_axis(0, 1);
}
