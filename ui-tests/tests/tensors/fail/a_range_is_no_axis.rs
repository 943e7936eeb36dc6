use supremum::{F32, Rank2, Tensor};

fn main() {
    let t = Tensor::<F32, Rank2>::ones([4, 3]);
    let part = t.slice(0..2, 1..3);
}
