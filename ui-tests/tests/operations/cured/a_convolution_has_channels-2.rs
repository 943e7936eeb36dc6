use supremum::ConvOptions;
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let filter: Tensor<F32, Rank1> = tensor![0.5, 0.5];
    let means: Tensor<F32, Rank3> = {
        let filter = filter.flip(0);
        a.reshape([1, 1, -1])
            .conv1d(&filter.reshape([1, 1, -1]), ConvOptions::new())
    };
}
