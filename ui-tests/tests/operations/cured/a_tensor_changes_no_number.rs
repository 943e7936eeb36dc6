use supremum::{F32, F64, Rank1, Tensor};

fn main() {
    let batches = [Tensor::<F64, Rank1>::ones([2]), Tensor::<F64, Rank1>::zeros([2])];
    let mut total = 0.0_f32;
    for t in &batches {
        let t = t.mean();
        total += t.cast::<F32>();
    }
}
