use supremum::prelude::*;

fn main() {
    let q: Tensor<F32, Rank3> = tensor![[[1.0, 0.0], [0.0, 1.0]]];
    let (k, v) = (q.clone(), q.clone());
    let scale = 0.5;
    let y: Tensor<F32, Rank3> = q.attention(&k, &v);
}
