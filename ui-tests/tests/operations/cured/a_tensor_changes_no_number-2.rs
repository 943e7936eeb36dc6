use supremum::{F64, Rank0, Rank1, Tensor};

fn main() {
    let batches = [Tensor::<F64, Rank1>::ones([2]), Tensor::<F64, Rank1>::zeros([2])];
    let mut total = Tensor::<F64, Rank0>::zeros([]);
    for t in &batches {
        let t = t.mean();
        total += t;
    }
}
