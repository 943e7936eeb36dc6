use supremum::{F32, I64, Rank1, Rank2, Tensor, tensor};

fn main() {
    let data = Tensor::<F32, Rank2>::ones([10, 2]);
    let mut sizes = Vec::new();
    let order: Tensor<I64, Rank1> = tensor![2, 0, 1];
    for batch in data.take(&order, 0).axis_iter(0) {
        sizes.push(batch.len());
    }
    assert_eq!(sizes, [2, 2, 2]);
}
