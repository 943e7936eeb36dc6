//! PyTorch's `movedim`, which is NumPy's `moveaxis`.
use supremum::{F32, Rank3, Tensor};

fn main() {
    let image = Tensor::<F32, Rank3>::zeros([4, 5, 3]);
    let channels_first = image.movedim(2, 0);
}
