use supremum::{F32, Rank3, Tensor};

fn main() {
    let image = Tensor::<F32, Rank3>::zeros([4, 5, 3]);
    let channels_first = image.move_axis(-1, 0);
}
