use supremum::{F32, Rank3, Tensor};

fn main() {
    let stack = Tensor::<F32, Rank3>::zeros([8, 2, 3]);
    let turned = stack.transpose();
}
