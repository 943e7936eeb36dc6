use supremum::{F32, Rank3, Tensor, U8};

fn normalise(image: &Tensor<U8, Rank3>) -> Tensor<F32, Rank3> {
    (image / 255.0).into()
}

fn main() {}
