use supremum::{F32, Rank0, Rank1, Tensor};

fn second<N: supremum::rank::RemoveAxis>(a: &Tensor<F32, N>) -> Tensor<F32, N::Output> {
    a.index_axis(0, 1)
}

fn main() {
    let a = Tensor::<F32, Rank1>::from([1.0, 2.0]);
    let b: Tensor<F32, Rank0> = second(&a);
}
