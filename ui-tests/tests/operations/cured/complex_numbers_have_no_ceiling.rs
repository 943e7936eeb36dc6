use supremum::{C64, Jax, Tensor, operations::Floor};

fn ceiling<D: supremum::StaticDType>(t: &Tensor<D>) -> Tensor<D>
where
    D: Floor<Jax, Output = D>,
{
    t.ceil()
}

fn main() {
    let a = Tensor::<C64>::zeros([2]);
    let up = ceiling(&a.real());
}
