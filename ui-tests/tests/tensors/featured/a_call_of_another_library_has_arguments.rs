use supremum::{F32, Rank2, Tensor};

fn run(t: &Tensor<F32, Rank2>) {
    let view = t.view_ndarray();
}

fn main() {}
