use supremum::{Bool, Floating, Rank2, Tensor};

fn smaller<D: Floating>(x: &Tensor<D, Rank2>, y: &Tensor<D, Rank2>) -> Tensor<Bool, Rank2> {
    x.lt(y)
}

fn relu<D: Floating>(x: &Tensor<D, Rank2>) -> Tensor<D, Rank2> {
    x.maximum(0.0)
}

fn project<D: Floating>(x: &Tensor<D, Rank2>, w: &Tensor<D, Rank2>) -> Tensor<D, Rank2> {
    x.matmul(w)
}

fn main() {}
