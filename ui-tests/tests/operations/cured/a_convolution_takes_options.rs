use supremum::{ConvOptions, F32, Rank4, Tensor};

fn main() {
    let x = Tensor::<F32, Rank4>::ones([1, 3, 8, 8]);
    let filters = Tensor::<F32, Rank4>::ones([4, 3, 3, 3]);
    let y = x.conv2d(&filters, ConvOptions::new().stride([1, 1]).padding([1, 1]));
}
