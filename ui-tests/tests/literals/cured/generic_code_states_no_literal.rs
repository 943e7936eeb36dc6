use supremum::{FitsLiteral, StaticDType, Tensor, literal, tensor};

fn weights<D: StaticDType + FitsLiteral<literal!(2)>>() -> Tensor<D> {
    tensor![1, 2, 1]
}

fn main() {}
