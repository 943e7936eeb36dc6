use supremum::{F32, Rank0, Tensor};

fn main() {
    let a = Tensor::<F32, Rank0>::scalar(1.0);
    let b = &a * &a;
}
