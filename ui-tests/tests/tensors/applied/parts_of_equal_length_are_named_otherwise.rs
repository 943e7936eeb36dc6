use supremum::{F32, Rank2, Tensor};

fn main() {
    let data = Tensor::<F32, Rank2>::ones([10, 2]);
    let mut sizes = Vec::new();
    for batch in data.chunk(4, 0) {
        sizes.push(batch.len());
    }
    assert_eq!(sizes, [6, 6, 6, 2]);
}
