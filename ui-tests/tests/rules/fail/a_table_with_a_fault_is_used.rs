//! Uses of rules with a fault are no errors of their own.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _   => [I32, F32, F64],
        I32 => [I32, F64, F64],
        F32 => [F64, F32],
        F64 => [F64, F64, F64],
    }
}

fn main() {
    let x: Tensor<F32, Rank1, Mine> = tensor![0.5, 1.5];
    let shares = fuse!(x * 2.0) / x.sum();
    println!("{}", &shares + x.exp());
}
