//! `tensordot`, `outer`, `kron` and `cross`, judged by naive loops.

use supremum::{
    AnyRank, Bool, DType, DynTensor, Error, F32, F64, I8, I16, I32, I64, Jax, Rank0, Rank1, Rank2,
    Rank3, Rank4, Tensor, U8, tensor,
};

fn counting<const K: usize>(shape: [usize; K]) -> DynTensor {
    let count: usize = shape.iter().product();
    let elements = (0..count)
        .map(|number| i64::try_from(number % 11).expect("small") - 4)
        .collect();
    Tensor::<I64>::from_vec(elements, shape)
        .expect("the shape")
        .into_dyn()
}

fn numbers(x: &DynTensor) -> Vec<i64> {
    x.typed_ref().to_vec()
}

trait TypedRef {
    fn typed_ref(&self) -> Tensor<I64>;
}

impl TypedRef for DynTensor {
    fn typed_ref(&self) -> Tensor<I64> {
        self.clone().typed::<I64, AnyRank, Jax>().expect("i64")
    }
}

fn at(x: &DynTensor, index: &[usize]) -> i64 {
    x.typed_ref().get(index).expect("an element")
}

#[test]
fn tensordot_sums_over_pairs_of_axes() {
    let (a, b) = (counting([2, 3, 4]), counting([4, 5, 2]));
    let found = a.tensordot(&b, [0, 2], [2, 0]);
    assert_eq!(found.shape(), [3, 5]);
    for i in 0..3 {
        for j in 0..5 {
            let terms = (0..2).flat_map(|p| (0..4).map(move |q| (p, q)));
            let sum: i64 = terms
                .map(|(p, q)| at(&a, &[p, i, q]) * at(&b, &[q, j, p]))
                .sum();
            assert_eq!(at(&found, &[i, j]), sum);
        }
    }
    assert_eq!(a.tensordot(&b, -1, 0), a.tensordot(&b, [2], [-3]));
    assert_eq!(a.tensordot(&b, -1, 0).shape(), [2, 3, 5, 2]);
    let all = a.tensordot(&a, .., ..);
    assert_eq!(
        (all.ndim(), numbers(&all)),
        (0, vec![numbers(&a).iter().map(|x| x * x).sum()])
    );
    let none = a.tensordot(&b, [0_isize; 0], [0_isize; 0]);
    assert_eq!(none.shape(), [2, 3, 4, 4, 5, 2]);
    assert_eq!(
        at(&none, &[1, 2, 3, 3, 4, 1]),
        at(&a, &[1, 2, 3]) * at(&b, &[3, 4, 1])
    );
}

#[test]
fn tensordot_has_ranks_and_dtypes() {
    let (a, b) = (
        Tensor::<F32, Rank3>::ones([2, 3, 4]),
        Tensor::<I16, Rank2>::ones([4, 3]),
    );
    let sums: Tensor<F32, Rank1> = a.tensordot(&b, [1, 2], [1, 0]);
    assert_eq!(sums.to_vec(), [12.0; 2]);
    let one: Tensor<F32, Rank3> = a.tensordot(&b, -1, 0);
    assert_eq!(one.shape(), [2, 3, 3]);
    let all: Tensor<F32, Rank0> = a.tensordot(&a, .., ..);
    assert_eq!(all.item(), Ok(24.0));
    let axes = vec![2];
    let any: Tensor<F32> = a.tensordot(&b, &axes, &[0]);
    assert_eq!(any, one.into_any());
}

#[test]
fn tensordot_refuses_axes_that_do_not_fit() {
    let (a, b) = (counting([2, 3]), counting([3, 4]));
    let text = |axes: &[isize], others: &[isize]| a.try_tensordot(&b, axes, others).unwrap_err();
    assert_eq!(
        text(&[2], &[0]),
        Error::AxisOutOfRange {
            operation: "tensordot",
            axis: 2,
            rank: 2
        }
    );
    assert_eq!(
        text(&[0, -2], &[0, 1]),
        Error::RepeatedAxis {
            operation: "tensordot",
            axis: 0,
            given: [0, -2],
        }
    );
    assert_eq!(
        text(&[1, -2], &[0, -1]).to_string(),
        "tensordot: axis -2 of the left operand has size 2, axis -1 of the right operand has size 4 \
         (shapes [2, 3] and [3, 4])"
    );
    assert_eq!(
        text(&[0], &[1, 0]).to_string(),
        "tensordot: expected 1 axis of the right operand, found 2"
    );
    let wide = counting([1, 1, 1, 1, 1]);
    assert!(matches!(
        wide.try_tensordot(&wide, [0_isize; 0], [0_isize; 0]),
        Err(Error::RankTooLarge { .. })
    ));
}

#[test]
fn outer_products_have_a_row_for_each_element() {
    let (a, b) = (counting([5]), counting([7]));
    let found = a.outer(&b);
    assert_eq!(found.shape(), [5, 7]);
    for i in 0..5 {
        for j in 0..7 {
            assert_eq!(at(&found, &[i, j]), at(&a, &[i]) * at(&b, &[j]));
        }
    }
    let empty: Tensor<I16, Rank2> =
        Tensor::<I8, Rank1>::ones([0]).outer(&Tensor::<U8, Rank1>::ones([3]));
    assert_eq!(empty.shape(), [0, 3]);
    let both: Tensor<Bool, Rank2> = tensor![Bool; true, false]
        .rank::<Rank1>()
        .expect("a vector")
        .outer(&tensor![Bool; true].rank::<Rank1>().expect("a vector"));
    assert_eq!(both.to_vec(), [true, false]);
    let error = a.try_outer(counting([2, 2])).unwrap_err();
    assert_eq!(
        error,
        Error::RankMismatch {
            operation: "outer",
            expected: 1,
            shape: vec![2, 2]
        }
    );
}

#[test]
fn kronecker_products_have_a_block_for_each_element() {
    let (a, b) = (counting([2, 3]), counting([4, 1, 5]));
    let found = a.kron(&b);
    assert_eq!(found.shape(), [4, 2, 15]);
    for i in 0..4 {
        for j in 0..2 {
            for k in 0..15 {
                let expected = at(&a, &[j, k / 5]) * at(&b, &[i, 0, k % 5]);
                assert_eq!(at(&found, &[i, j, k]), expected, "{i} {j} {k}");
            }
        }
    }
    let typed: Tensor<F64, Rank2> =
        Tensor::<F64, Rank1>::ones([3]).kron(&Tensor::<I32, Rank2>::ones([2, 2]));
    assert_eq!(typed.shape(), [2, 6]);
    let scalar: Tensor<I32, Rank1> = Tensor::<I32, Rank0>::scalar(3)
        .kron(&tensor![I32; 1, 2].rank::<Rank1>().expect("a vector"));
    assert_eq!(scalar.to_vec(), [3, 6]);
    let four: Tensor<I32, Rank4> =
        Tensor::<I32, Rank4>::ones([1, 2, 1, 2]).kron(&Tensor::<I32, Rank4>::ones([2, 1, 2, 1]));
    assert_eq!(four.shape(), [2; 4]);
    assert!(matches!(
        counting([1; 5]).try_kron(counting([1; 5])),
        Err(Error::RankTooLarge { .. })
    ));
}

#[test]
fn cross_products_are_perpendicular() {
    let (a, b) = (counting([3, 4, 3]), counting([4, 3]));
    let found = a.cross(&b, -1);
    assert_eq!(found.shape(), [3, 4, 3]);
    for i in 0..3 {
        for j in 0..4 {
            let x = |k: usize| at(&a, &[i, j, k % 3]);
            let y = |k: usize| at(&b, &[j, k % 3]);
            for k in 0..3 {
                let expected = x(k + 1) * y(k + 2) - x(k + 2) * y(k + 1);
                assert_eq!(at(&found, &[i, j, k]), expected);
            }
        }
    }
    // One vector beside each column: the axis of vectors is the first of both.
    let (columns, vector) = (counting([3, 4]), counting([3]));
    let found = columns.cross(&vector, 0);
    for column in 0..4 {
        let each = columns.index_axis(1, column).cross(&vector, 0);
        assert_eq!(found.index_axis(1, column), each);
    }
    let turned = counting([3, 4]).cross(&(counting([3, 4]) * 2), 0);
    assert_eq!(numbers(&turned), [0; 12]);
    assert_eq!(
        a.try_cross(counting([2]), -1).unwrap_err().to_string(),
        "cross: axis -1 has size 2, expected 3"
    );
    assert!(matches!(
        a.try_cross(&b, 2),
        Err(Error::AxisOutOfRange {
            operation: "cross",
            axis: 2,
            rank: 2
        })
    ));
    let booleans = DynTensor::ones(DType::Bool, [3]).expect("memory");
    assert!(matches!(
        booleans.try_cross(&booleans, 0),
        Err(Error::UndefinedOperation { .. })
    ));
}
