use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 4.0];
    let columns = a.unsqueeze(1).pow(&Tensor::<I64, Rank1>::arange(0, 3, 1));
}
