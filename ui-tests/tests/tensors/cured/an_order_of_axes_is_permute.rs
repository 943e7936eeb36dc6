use supremum::prelude::*;

fn main() {
    let image = Tensor::<F32, Rank3>::ones([4, 5, 3]);
    let channels_first = image.permute([2, 0, 1]);
    assert_eq!(channels_first.shape(), [3, 4, 5]);
}
