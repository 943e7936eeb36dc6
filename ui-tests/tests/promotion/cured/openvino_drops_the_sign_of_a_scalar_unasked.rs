use supremum::{I8, OpenVinoScalar, Rank0, Rank1, Tensor, U8, tensor};

fn main() {
    let a: Tensor<U8, Rank1, OpenVinoScalar> = tensor![200];
    let b: Tensor<I8, Rank0, OpenVinoScalar> = Tensor::scalar(-1);
    let sum = a + b.cast::<U8>();
}
