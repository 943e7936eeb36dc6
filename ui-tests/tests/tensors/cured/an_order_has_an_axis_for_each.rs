use supremum::{F32, Rank4, Tensor};

fn main() {
    let images = Tensor::<F32, Rank4>::zeros([8, 32, 32, 3]);
    let channels_first = images.permute([0, 3, 1, 2]);
}
