use supremum::{ConvOptions, F32, Rank3, Rank4, Tensor};

fn main() {
    let image: Tensor<F32, Rank3> = Tensor::zeros([3, 8, 8]);
    let filters: Tensor<F32, Rank4> = Tensor::zeros([4, 3, 3, 3]);
    let maps = image.unsqueeze(0).conv2d(&filters, ConvOptions::default());
}
