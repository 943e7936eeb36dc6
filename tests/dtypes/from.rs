//! `From` between tensors, to elements and to vectors: between which dtypes it is, and what it gives. `Eq` and `Hash` of tensors.

use core::marker::PhantomData;
use std::collections::HashMap;

use supremum::{
    BF16, Bool, C64, C128, DType, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16,
    F32, F64, I8, I16, I32, I64, Loss, Numpy, Rank0, Rank1, Rank2, StaticDType, Tensor, U8, U16,
    U32, U64, Weak, f16, tensor,
};

/// Two dtypes. Where `From` converts, a constant of the type hides that of the trait.
struct Pair<A, B>(PhantomData<(A, B)>);

trait Neither {
    const TENSORS: bool = false;
    const ELEMENTS: bool = false;
}
impl<T> Neither for T {}

impl<A, B> Pair<A, B>
where
    Tensor<B, Rank1>: From<Tensor<A, Rank1>>,
{
    const TENSORS: bool = true;
}
impl<A, B: StaticDType> Pair<A, B>
where
    B::Element: From<Tensor<A, Rank0>>,
{
    const ELEMENTS: bool = true;
}

macro_rules! pairs {
    ([$($from:ident)*]) => { [$((DType::$from, supremum::__private::with_markers!(pairs @of $from))),*] };
    (@of $from:ident [$($to:ident)*]) => {
        [$((DType::$to, Pair::<$from, $to>::TENSORS, Pair::<$from, $to>::ELEMENTS)),*]
    };
}

#[test]
fn a_dtype_converts_to_those_that_have_its_values() {
    let mut converting = (0, 0);
    for (from, to) in supremum::__private::with_markers!(pairs) {
        for (to, tensors, elements) in to {
            let lossless = from.loss_to(to) == Loss::None;
            let may_have_wrapped = from.kind().is_integer() && from != to;
            let expected = (lossless && !may_have_wrapped, lossless);
            assert_eq!((tensors, elements), expected, "{from} to {to}");
            converting.0 += usize::from(tensors && from != to);
            converting.1 += usize::from(elements && from != to);
        }
    }
    assert_eq!(converting, CONVERTING);
}

/// The number of pairs of different dtypes whose tensors convert, and of those whose elements do. Tensors of integers do not.
const CONVERTING: (usize, usize) = (62, 104);

#[test]
fn values_stay() {
    let halves: Tensor<F16, Rank2> =
        Tensor::from([[0.5, -0.0], [65504.0, f32::INFINITY]].map(|row| row.map(f16::from_f32)));
    let wide: Tensor<C128, Rank2> = halves.clone().into();
    assert_eq!(wide, halves.widen::<C128>());
    assert_eq!(f64::from(halves.max()), f64::INFINITY);
    assert_eq!(f32::from(halves.index_axis(0, 0).sum()), 0.5);
    assert_eq!(i64::from(tensor![U32; 7].sum().cast::<U32>()), 7);
    assert_eq!(
        Vec::from(halves.index_axis(0, 0)),
        [f16::from_f32(0.5), f16::NEG_ZERO]
    );
}

#[test]
fn a_weak_tensor_yields_as_beside_an_operand() {
    let bytes: Tensor<U8, Rank1> = tensor![0, 51, 255];
    let weak: Tensor<Weak<F64>, Rank1> = &bytes / 255.0;
    let floats: Tensor<F32, Rank1> = weak.clone().into();
    assert_eq!(floats, &weak + &Tensor::<F32, Rank1>::zeros([3]));
    assert_eq!(floats.to_vec(), [0.0, 0.2, 1.0]);
    let integers: Tensor<I8, Rank1> = (1 - bytes.gt(0)).into();
    assert_eq!(integers.to_vec(), [1, 0, 0]);

    let yields = [
        Pair::<Weak<F64>, BF16>::TENSORS,
        Pair::<Weak<F64>, C64>::TENSORS,
        Pair::<Weak<I64>, F32>::TENSORS,
        Pair::<Weak<I64>, U8>::TENSORS,
    ];
    assert_eq!(yields, [true; 4]);
    let decides = [
        Pair::<Weak<F64>, I64>::TENSORS,
        Pair::<Weak<I64>, Bool>::TENSORS,
    ];
    assert_eq!(decides, [false; 2], "the kind of the literal decides");
}

#[test]
fn tensors_of_integers_are_keys() {
    let rows: Tensor<I64, Rank2, Numpy> = tensor![[1, 2], [3, 4]];
    let mut counts = HashMap::new();
    for key in [rows.clone(), rows.transpose(), rows.transpose().transpose()] {
        *counts.entry(key).or_insert(0) += 1;
    }
    assert_eq!((counts[&rows], counts[&rows.transpose()]), (2, 1));
    assert!(!counts.contains_key(&(&rows + 1)));
}

#[test]
fn references_to_references_are_operands() {
    let (a, b): (Tensor<F32, Rank1>, Tensor<F16, Rank1>) = (tensor![1.0, 2.0], tensor![3.0, 5.0]);
    let pairs = [(&a, &b)];
    let products: Vec<Tensor<F32, Rank1>> = pairs.iter().map(|(x, y)| x * y - 1.0).collect();
    assert_eq!(products[0].to_vec(), [2.0, 9.0]);
    let others: Vec<_> = pairs.iter().map(|(x, y)| 2.0 * x + *x - y.sum()).collect();
    assert_eq!(others[0].to_vec(), [-5.0, -2.0]);
}
