use supremum::{F32, Rank3, Tensor};

fn main() {
    let image = Tensor::<F32, Rank3>::zeros([4, 5, 3]);
    let channels_first = image.swap_axes(0, 1);
}
