use supremum::{ConvOptions, F32, Rank3, Tensor};

fn main() {
    let signal = Tensor::<F32, Rank3>::ones([1, 2, 8]);
    let filters = Tensor::<F32, Rank3>::ones([4, 2, 3]);
    let maps = signal.conv1d(&filters, ConvOptions::new().padding([1]));
    println!("{maps}");
}
