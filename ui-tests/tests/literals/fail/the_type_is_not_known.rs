//! Literals alone determine neither a dtype nor a rank.
use supremum::tensor;

fn main() {
    let x = tensor![1.0, 2.0];
    println!("{}", x.sum());
}
