use supremum::{Bool, F32, Tensor};

fn is_one(t: &mut Tensor<F32>) -> Tensor<Bool> {
    t.equal(1)
}

fn main() {}
