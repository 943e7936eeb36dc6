use supremum::{StaticDType, Tensor, tensor};

fn weights<D: StaticDType>() -> Tensor<D> {
    tensor![1, 2, 1]
}

fn main() {}
