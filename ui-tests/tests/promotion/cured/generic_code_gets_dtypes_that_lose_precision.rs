use supremum::{Common, F16, F32, I64, SafeCommon, Tensor, promote, tensor};

fn axpy<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Common<(A, X, Y)>>
where
    (A, X, Y): SafeCommon,
{
    let (a, x, y) = promote((a, x, y));
    a * x + y
}

fn main() {
    let (a, x, y): (Tensor<F16>, Tensor<I64>, Tensor<F32>) = (tensor![2.0], tensor![3], tensor![0.5]);
    let sum = axpy(&a, &x.cast::<F32>(), &y);
}
