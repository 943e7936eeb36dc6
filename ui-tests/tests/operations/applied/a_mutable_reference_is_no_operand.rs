use supremum::{F32, Rank1, Tensor};

fn step(m: &mut Tensor<F32, Rank1>, g: &Tensor<F32, Rank1>) {
    let a = 0.1 * g;
    *m = &a + &*m;
}

fn main() {}
