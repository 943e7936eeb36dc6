use supremum::{F32, Rank2, Tensor};

fn main() {
    let x = Tensor::<F32, Rank2>::zeros([3, 4]);
    let a = Tensor::<F32, Rank2>::zeros(x.shape());
}
