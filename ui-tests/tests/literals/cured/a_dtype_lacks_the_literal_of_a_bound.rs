use supremum::{FitsLiteral, I64, StaticDType, Tensor, literal, tensor};

fn weights<D: StaticDType + FitsLiteral<literal!(-4)>>() -> Tensor<D> {
    tensor![-4, 1, -4]
}

fn main() {
    let weights = weights::<I64>();
}
