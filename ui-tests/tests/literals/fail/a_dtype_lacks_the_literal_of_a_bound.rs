use supremum::{FitsLiteral, StaticDType, Tensor, U8, literal, tensor};

fn weights<D: StaticDType + FitsLiteral<literal!(-4)>>() -> Tensor<D> {
    tensor![-4, 1, -4]
}

fn main() {
    let weights = weights::<U8>();
}
