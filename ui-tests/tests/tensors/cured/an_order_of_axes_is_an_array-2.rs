use supremum::{F32, Rank3, Tensor};

fn main() {
    let image = Tensor::<F32, Rank3>::zeros([2, 3, 4]);
    let channels_first = image.permute([-1, 0, 1]);
}
