use supremum::{F64, Tensor, WidensTo};

fn wide<D: WidensTo<F64>>(x: &Tensor<D>) -> Tensor<F64> {
    x.widen::<F64>()
}

fn main() {}
