use supremum::{C64, Rank1, Tensor};

fn sorted<D: supremum::RealDType>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x.sort(0)
}

fn main() {
    let z: Tensor<C64, Rank1> = Tensor::zeros([3]);
    let sorted = sorted(&z.real());
}
