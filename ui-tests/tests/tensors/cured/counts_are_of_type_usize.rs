// NumPy's `repeat` with a list of counts.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let counts: Vec<usize> = vec![2, 1];
    let b = a.repeat_each(counts, 0);
}
