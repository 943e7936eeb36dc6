use supremum::{StaticDType, Tensor};

fn twice<A: StaticDType>(a: &Tensor<A>) {
    let sum = a + a;
}

fn main() {}
