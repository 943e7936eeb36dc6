use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x = tensor![F32; 1.0, 2.0];
    println!("{}", x.sum());
}
