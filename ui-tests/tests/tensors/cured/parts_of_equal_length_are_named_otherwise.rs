use supremum::{F32, Rank2, Tensor};

fn main() {
    let data = Tensor::<F32, Rank2>::ones([10, 2]);
    let mut sizes = Vec::new();
    let n = data.shape()[0];
    for batch in (0..n).step_by(4).map(|i| data.slice(0, i..n.min(i + 4))) {
        sizes.push(batch.len());
    }
    assert_eq!(sizes, [8, 8, 4]);
}
