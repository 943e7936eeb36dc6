use supremum::{StaticDType, Tensor};

fn total<D: StaticDType>(x: &Tensor<D>) -> Tensor<D> {
    x.slice(0, ..1)
}

fn main() {}
