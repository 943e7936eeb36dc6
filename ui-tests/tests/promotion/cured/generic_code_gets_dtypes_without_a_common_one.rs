use supremum::{BF16, Common, F8E4M3FN, F32, SafeCommon, Tensor, promote, tensor};

fn axpy<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Common<(A, X, Y)>>
where
    (A, X, Y): SafeCommon,
{
    let (a, x, y) = promote((a, x, y));
    a * x + y
}

fn main() {
    let (a, x, y): (Tensor<F8E4M3FN>, Tensor<BF16>, Tensor<F32>) = (tensor![2.0], tensor![3.0], tensor![0.5]);
    let sum = axpy(&a.cast::<F32>(), &x.cast::<F32>(), &y);
}
