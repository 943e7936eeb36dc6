//! Types of fused expressions, generic code, and promotions that are admitted by name.

use supremum::static_assertions::assert_type_eq_all;
use supremum::{
    AnyRank, F8E4M3FN, F16, F32, F64, I8, I32, I64, Jax, Numpy, Rank0, Rank1, Rank2, Rank3, Rules,
    StaticDType, Tensor, f16, fuse, promote_unsafe, tensor, try_promote_unsafe,
};

#[test]
fn unsafe_promotions_are_admitted_by_name() {
    let counts: Tensor<I64, Rank1> = tensor![3, 16_777_217];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 1.0];
    let scaled: Tensor<F32, Rank1> = promote_unsafe!(counts * scale);
    assert_eq!(scaled.to_vec(), [1.5, 16_777_216.0]);
    assert_eq!(scaled, counts.promote_unsafe() * &scale);
    let reduced: Tensor<F32, Rank0> = promote_unsafe!((counts * scale).sum());
    assert_eq!(reduced.item(), Ok(16_777_218.0));
    let mut out = scaled.clone();
    promote_unsafe!(out = counts - scale);
    promote_unsafe!(out *= counts);
    assert_eq!(out.to_vec(), [7.5, 16_777_215.0 * 16_777_216.0]);
    let f: Tensor<F16, Rank1> = tensor![1.0];
    assert_eq!(promote_unsafe!(f * 70_000.0).to_vec(), [f16::INFINITY]);
    let n: Tensor<I32, Rank1> = tensor![1];
    assert!(try_promote_unsafe!(n % 0).is_err());
    assert!(try_promote_unsafe!(out = scale.reshape([2, 1]) * out).is_err());
}

#[test]
fn types_are_those_of_tensors() {
    let x: Tensor<F16, Rank2> = tensor![[1.0]];
    let n: Tensor<I8, Rank3> = Tensor::zeros([1, 1, 1]);
    fn type_of<T>(_: &T) -> std::marker::PhantomData<T> {
        std::marker::PhantomData
    }
    macro_rules! same {
        ($fused:expr, $eager:expr) => {{
            let same: [std::marker::PhantomData<_>; 2] = [type_of(&$fused), type_of(&$eager)];
            assert_eq!(same.len(), 2);
        }};
    }
    same!(fuse!(x / n), &x / &n);
    same!(fuse!(n / 2), &n / 2);
    same!(fuse!(x.pow(n)), x.pow(&n));
    same!(fuse!(x == n), x.equal(&n));
    same!(fuse!(n.exp()), n.exp());
    same!(fuse!((n * n).sum_axis(0)), (&n * &n).sum_axis(0));
    same!(fuse!((n * n).mean_keepdims(0)), (&n * &n).mean_keepdims(0));
    same!(fuse!(x.abs().argmax()), x.abs().argmax());
    same!(fuse!(x.widen::<F64>()), x.widen::<F64>());
    same!(fuse!(x.cast::<F8E4M3FN>()), x.cast::<F8E4M3FN>());
    assert_type_eq_all!(Tensor<F32>, Tensor<F32, AnyRank, Jax>);
}

#[test]
fn generic_code_fuses() {
    fn scaled<D, R>(x: &Tensor<D, Rank1, R>, factor: &Tensor<D, Rank1, R>) -> Tensor<D, Rank1, R>
    where
        D: StaticDType,
        R: Rules<Operand<D, Rank1> = D>,
        D: supremum::SafePromote<D, R::Multiply> + supremum::Promote<D, R::Multiply, Output = D>,
        D: supremum::operations::Multiply<R::Operations, Output = D>,
    {
        fuse!(x * factor)
    }
    let x: Tensor<F32, Rank1, Numpy> = tensor![2.0];
    assert_eq!(scaled(&x, &x).to_vec(), [4.0]);
}
