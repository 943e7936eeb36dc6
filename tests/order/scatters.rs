//! Scatters: replaced elements, and sums.

use crate::naive::{self, INTEGERS, Plain};
use crate::{laid_out, random_shape, refused, signed, tensor_of};
use supremum::prelude::*;

/// A scatter: what it takes, and along which axis.
struct Case {
    x: Plain<i64>,
    indices: Plain<i64>,
    updates: Plain<i64>,
    axis: usize,
}

impl Case {
    fn random(rng: &mut fastrand::Rng) -> Option<Self> {
        let shape = random_shape(rng, 4);
        let axis = rng.usize(..shape.len().max(1));
        let size = i64::try_from(*shape.get(axis)?).ok()?;
        let count = if size == 0 { 0 } else { rng.usize(..6) };
        let mut broadcast = |keeps_axis: bool| -> Vec<usize> {
            let sizes = shape.iter().enumerate();
            sizes
                .map(|(at, size)| match (at == axis, rng.u8(..3)) {
                    (true, 0) if !keeps_axis => 1,
                    (true, _) => count,
                    (false, 0) => 1,
                    (false, _) => *size,
                })
                .collect()
        };
        let (index_shape, update_shape) = (broadcast(true), broadcast(false));
        let mut numbers = |shape: &[usize], range: std::ops::Range<i64>| {
            let count = shape.iter().product();
            Plain::new(shape, (0..count).map(|_| rng.i64(range.clone())).collect())
        };
        Some(Self {
            x: numbers(&shape, 0..9),
            indices: numbers(&index_shape, -size..size.max(1)),
            updates: numbers(&update_shape, 0..3),
            axis,
        })
    }

    fn expected(&self, combine: impl Fn(i64, i64) -> i64) -> Plain<i64> {
        let mut to = self.x.shape.clone();
        to[self.axis] = self.indices.shape[self.axis];
        let mut elements = self.x.elements.clone();
        for index in naive::indices(&to) {
            let found = self.indices.at(&index);
            let size = i64::try_from(self.x.shape[self.axis]).unwrap();
            let mut place = index.clone();
            place[self.axis] =
                usize::try_from(if found < 0 { found + size } else { found }).unwrap();
            let at = place
                .iter()
                .zip(&self.x.shape)
                .fold(0, |at, (index, size)| at * size + index);
            elements[at] = combine(elements[at], self.updates.at(&index));
        }
        Plain::new(&self.x.shape, elements)
    }
}

fn tensor(rng: &mut fastrand::Rng, plain: &Plain<i64>, dtype: DType) -> DynTensor {
    laid_out::<I64>(rng, plain).into_dyn().cast(dtype)
}

#[test]
fn scatters_are_index_maps() {
    for seed in 0..400 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let Some(case) = Case::random(rng) else {
            continue;
        };
        let axis = signed(rng, case.axis, case.x.shape.len());
        let signed_only = case.indices.elements.iter().any(|index| *index < 0);
        let (replaced, added) = (
            case.expected(|_, update| update),
            case.expected(|a, b| a + b),
        );
        let (greatest, least) = (case.expected(i64::max), case.expected(i64::min));
        for dtype in DType::ALL {
            let index_dtype = match signed_only {
                true => INTEGERS[rng.usize(4..8)],
                false => INTEGERS[rng.usize(..8)],
            };
            let x = tensor(rng, &case.x, *dtype);
            let indices = tensor(rng, &case.indices, index_dtype);
            let updates = tensor(rng, &case.updates, *dtype);
            let before = x.clone();
            let equals = |found: DynTensor, expected: &Plain<i64>| {
                let expected = tensor_of::<I64>(expected).into_dyn().cast(*dtype);
                assert!(
                    found == expected,
                    "seed {seed}, {dtype}: {found} but {expected}"
                );
            };
            equals(x.scatter(&indices, &updates, axis), &replaced);
            // Sums that every dtype has, or to which it rounds once.
            equals(x.scatter_add(&indices, &updates, axis), &added);
            if dtype.kind() != supremum::Kind::Complex {
                equals(x.scatter_max(&indices, &updates, axis), &greatest);
                equals(x.scatter_min(&indices, &updates, axis), &least);
            }
            assert!(x == before);
        }
    }
}

/// A take and the scatter of the same indices are each other's reverse.
#[test]
fn scatters_reverse_takes() {
    let rng = &mut fastrand::Rng::with_seed(5);
    let x = Tensor::<F16, Rank2>::from_fn([50, 7], |_| f16::from_f32(rng.f32()));
    let order = x.argsort(0);
    let sorted = x.take_along_axis(&order, 0);
    assert_eq!(x.zeros_like().scatter(&order, &sorted, 0), x);
    let mut rows: Vec<u16> = (0..50).collect();
    rng.shuffle(&mut rows);
    let rows: Tensor<U16, Rank1> = Tensor::from_vec(rows, [50]).expect("a vector");
    let taken = x.take(&rows, 0);
    assert_eq!(x.zeros_like().scatter(&rows.unsqueeze(1), &taken, 0), x);
}

/// Small floats are added in `f32`: 300 ones are 300, although in `bf16` 256 and one is 256. Integers wrap, booleans are added by `or`.
#[test]
fn sums_are_rounded_once() -> Result<(), Error> {
    let indices = Tensor::<U8, Rank1>::zeros([300]);
    for dtype in [DType::BF16, DType::F16, DType::F32] {
        let sum = DynTensor::zeros(dtype, [2])?.try_scatter_add(
            &indices.clone().into_dyn(),
            &DynTensor::ones(dtype, [300])?,
            0,
        )?;
        assert_eq!(
            sum.cast(DType::F64).to_vec::<F64>()?,
            [300.0, 0.0],
            "{dtype}"
        );
    }
    let bytes = Tensor::<U8, Rank1>::zeros([1]).scatter_add(&indices, &Tensor::ones([300]), 0);
    assert_eq!(bytes.to_vec(), [44]);
    let truth = Tensor::<Bool, Rank1, Numpy>::zeros([2]);
    assert_eq!(
        truth
            .scatter_add(&indices, &Tensor::ones([300]), 0)
            .to_vec(),
        [true, false]
    );
    Ok(())
}

/// The order of floats is that of `maximum` and `minimum`: NaN stays, and -0 is less than +0. Large integers are compared exactly.
#[test]
fn extremes_are_those_of_maximum_and_minimum() {
    let values: Tensor<F32, Rank1> = tensor![-0.0, 0.0, f32::NAN, 1.0, f32::NEG_INFINITY];
    for (at, first) in values.iter().enumerate() {
        for (other, second) in values.iter().enumerate() {
            let x = values.slice(0, at..at + 1);
            let y = values.slice(0, other..other + 1);
            let bits = |t: Tensor<F32, Rank1>| t.to_vec()[0].to_bits();
            let greatest = x.scatter_max([0], &y, 0);
            let least = x.scatter_min([0], &y, 0);
            if first.is_nan() || second.is_nan() {
                assert!(greatest.to_vec()[0].is_nan() && least.to_vec()[0].is_nan());
                continue;
            }
            assert_eq!(bits(greatest), bits(x.maximum(&y)), "{first}, {second}");
            assert_eq!(bits(least), bits(x.minimum(&y)), "{first}, {second}");
        }
    }
    let large = u64::MAX;
    let x: Tensor<U64, Rank1> = Tensor::from(vec![large - 1, 3]);
    let y: Tensor<U64, Rank1> = Tensor::from(vec![large, 2, 7]);
    assert_eq!(x.scatter_max([0, 1, -1], &y, 0).to_vec(), [large, 7]);
    assert_eq!(x.scatter_min([0, 1, -1], &y, 0).to_vec(), [large - 1, 2]);
    let z = tensor![C64; 1.0, 2.0].into_dyn();
    assert!(matches!(
        z.try_scatter_max([0, 0], &z, 0),
        Err(Error::UndefinedOperation { .. })
    ));
}

#[test]
fn errors_of_scatters() {
    let x = Tensor::<F32>::zeros([2, 3]);
    let scalar = Tensor::<F32>::zeros([]);
    let at = |index| Tensor::<I64>::full([1, 1], index);
    let zero = Tensor::<U8>::zeros([1]);
    let one = Tensor::<F32>::ones([1, 1]);
    let wide = Tensor::<F32>::ones([1, 4]);
    let none = Tensor::<F32>::zeros([0, 3]);
    let empty_rows = Tensor::<F32>::zeros([3, 0]);
    refused! {
        x.try_scatter(&at(0), &one, 2), x.scatter(&at(0), &one, 2) => "scatter: axis 2 does not exist at rank 2";
        scalar.try_scatter(&zero, &scalar, 0), scalar.scatter(&zero, &scalar, 0) => "scatter: axis 0 does not exist at rank 0";
        x.try_scatter(&at(2), &one, 0), x.scatter(&at(2), &one, 0) => "scatter: index 2 is outside axis 0 of size 2";
        x.try_scatter_add(&at(-4), &one, -1), x.scatter_add(&at(-4), &one, -1) => "scatter_add: index -4 is outside axis -1 of size 3";
        x.try_scatter_max(&at(-4), &one, -1), x.scatter_max(&at(-4), &one, -1) => "scatter_max: index -4 is outside axis -1 of size 3";
        x.try_scatter_min(&at(0), &scalar, 0), x.scatter_min(&at(0), &scalar, 0) => "scatter_min: shapes [2, 3] and [] do not fit together; the ranks are 2 and 0";
        x.try_scatter_min(&at(0), &one, 5), x.scatter_min(&at(0), &one, 5) => "scatter_min: axis 5 does not exist at rank 2";
        none.try_scatter(&at(0), &one, 0), none.scatter(&at(0), &one, 0) => "scatter: index 0 is outside axis 0 of size 0";
        none.try_scatter(&at(3), &one, 1), none.scatter(&at(3), &one, 1) => "scatter: index 3 is outside axis 1 of size 3";
        empty_rows.try_scatter(&at(3), &one, 0), empty_rows.scatter(&at(3), &one, 0) => "scatter: index 3 is outside axis 0 of size 3";
        x.try_scatter(&zero, &one, 0), x.scatter(&zero, &one, 0) => "scatter: shapes [2, 3] and [1] do not fit together; the ranks are 2 and 1";
        x.try_scatter(&at(0), &wide, 0), x.scatter(&at(0), &wide, 0) => "scatter: axis 1 of the tensor has size 3, axis 1 of the updates has size 4 (shapes [2, 3] and [1, 4])";
        x.try_scatter_add(&at(0), &scalar, 0), x.scatter_add(&at(0), &scalar, 0) => "scatter_add: shapes [2, 3] and [] do not fit together; the ranks are 2 and 0";
        x.try_scatter(&at(0).broadcast_to(vec![2, 3]), &one.broadcast_to(vec![3, 3]), 0), x.scatter(&at(0).broadcast_to(vec![2, 3]), &one.broadcast_to(vec![3, 3]), 0) => "scatter: axis 0 of the indices has size 2, axis 0 of the updates has size 3 (shapes [2, 3] and [3, 3])";
    }
    // No update fits an axis of nothing, and none is needed.
    let nothing = Tensor::<U8>::zeros([0, 1]);
    assert_eq!(none.scatter(&nothing, &none, 0).shape(), [0, 3]);
    let (x, one) = (x.into_dyn(), one.into_dyn());
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    assert_eq!(
        text(x.try_scatter(&one, &one, 0)),
        "scatter: indices are integers, found f32"
    );
    let indices = at(0).into_dyn();
    assert_eq!(
        text(x.try_scatter(&indices, &indices, 0)),
        "scatter: expected f32, found i64"
    );
    let strict = DynTensor::zeros(DType::U16, [2])
        .expect("memory")
        .with_rules(Torch::rule_set());
    assert!(matches!(
        strict.try_scatter_add(&zero.into_dyn(), &strict, 0),
        Err(Error::UndefinedOperation { .. })
    ));
}

/// Integers are indices of a vector, typed and dynamic.
#[test]
fn scatters_take_integers() -> Result<(), Error> {
    let x: Tensor<F32, Rank1> = tensor![0.5, 1.5, 2.5];
    let updates: Tensor<F32, Rank1> = tensor![10.0, 20.0];
    let list = vec![2, -3];
    let expected = x.scatter(&tensor![I64; 2, 0], &updates, 0);
    assert_eq!(x.scatter([2, 0], &updates, 0), expected);
    assert_eq!(x.scatter(&list, &updates, 0), expected);
    assert_eq!(x.scatter(&list[..], &updates, -1), expected);
    assert_eq!(
        x.clone()
            .into_any()
            .scatter(list.clone(), &updates.clone().into_any(), 0),
        expected
    );
    let dynamic = x
        .clone()
        .into_dyn()
        .try_scatter(&list, &updates.clone().into_dyn(), 0)?;
    assert_eq!(dynamic, expected.into_dyn());

    let added = x.scatter_add([1_usize, 1], &updates, 0);
    assert_eq!(added.to_vec(), [0.5, 31.5, 2.5]);
    assert_eq!(
        x.try_take_along_axis([1, -1, 0], 0)?.to_vec(),
        [1.5, 2.5, 0.5]
    );
    let matrix = Tensor::<F32>::ones([2, 2]);
    let error = matrix.try_take_along_axis([0], 0).unwrap_err().to_string();
    assert_eq!(
        error,
        "take_along_axis: shapes [2, 2] and [1] do not fit together; the ranks are 2 and 1"
    );
    let error = x
        .try_scatter([i64::MAX, 0], &updates, 0)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        format!("scatter: index {} is outside axis 0 of size 3", i64::MAX)
    );
    Ok(())
}
