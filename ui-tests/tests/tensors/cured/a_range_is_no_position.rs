use supremum::{F32, Rank2, Tensor};

fn main() {
    let t = Tensor::<F32, Rank2>::ones([4, 3]);
    let rows = t.slice(0, 1..3);
}
