//! Sorts, positions in sorted order, `top_k`, binary search, and distinct elements.

use crate::exact::Tested;
use crate::naive::{self, Arith, Plain, Typed, each_real};
use crate::{
    along, distinct_keys, is_nan, laid_out, order, random_shape, refused, signed, sort_keys,
    sorted_positions, tensor_of,
};
use supremum::prelude::*;

/// Elements with ties, extremes, NaN and zeros of both signs, in an order without pattern.
pub(crate) fn mixture<E: Arith>(rng: &mut fastrand::Rng, count: usize) -> Vec<E> {
    let (edges, sample) = (naive::edges::<E>(), naive::sample::<E>(count, rng.u64(..)));
    let pick = |element: E| match rng.u8(..3) {
        0 => edges[rng.usize(..edges.len())],
        _ => element,
    };
    sample.into_iter().map(pick).collect()
}

pub(crate) fn raw<E: Tested>(elements: &[E]) -> Vec<u128> {
    elements.iter().map(|element| element.raw()).collect()
}

pub(crate) fn positions_of(tensor: &DynTensor) -> Vec<usize> {
    let positions = tensor.to_vec::<I64>().expect("of i64");
    let position = |position| usize::try_from(position).expect("a position");
    positions.into_iter().map(position).collect()
}

/// Checks that elements have the same bits.
#[track_caller]
pub(crate) fn assert_same_bits<E: Tested>(found: &[E], expected: &[E], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for at in 0..found.len() {
        let (found, expected) = (found[at].raw(), expected[at].raw());
        assert!(
            found == expected,
            "{what}: {found:#x}, not {expected:#x} at {at}"
        );
    }
}

/// The length from which rows are not sorted by all of their digits at once.
const LONG: usize = 1 << 16;

/// Checks all sorts of a vector bit by bit, so that also zeros and NaN keep their order. The positions are right if the keys of their elements
/// ascend: a row of distinct keys has one such order.
pub(crate) fn check_row<D: Typed>(row: &[D::Element]) {
    let x = tensor_of::<D>(&Plain::new(&[row.len()], row.to_vec())).into_dyn();
    let what = format!("{} elements of {}", row.len(), D::DTYPE);
    let sort_keys = sort_keys(row);
    for descending in [false, true] {
        let keys = distinct_keys(&sort_keys, descending);
        let (sorted, positions) = match descending {
            false => (x.sort(0), x.argsort(0)),
            true => (x.sort_descending(0), x.argsort_descending(0)),
        };
        let expected = positions_of(&positions);
        assert_eq!(expected.len(), row.len(), "{what}");
        for pair in expected.windows(2) {
            let [before, after] = [pair[0], pair[1]];
            assert!(keys[before] < keys[after], "{what}: {before}, {after}");
        }
        let elements: Vec<_> = expected.iter().map(|at| row[*at]).collect();
        let sorted = sorted.to_vec::<D>().expect("the same dtype");
        assert_same_bits(&sorted, &elements, &what);
        if descending {
            // Of a long row, a third: more are those of the sorts above, with less left to do at the end.
            let counts = [row.len() / 3, 1, 0, row.len()];
            let counts = if row.len() < LONG {
                &counts[..]
            } else {
                &counts[..2]
            };
            for count in counts {
                let (greatest, positions) = x.top_k((*count).min(row.len()), 0);
                let count = greatest.len();
                assert_eq!(positions_of(&positions), expected[..count], "{what}");
                let greatest = greatest.to_vec::<D>().expect("the same dtype");
                assert_same_bits(&greatest, &elements[..count], &what);
            }
        }
    }
}

/// Checks the distinct elements of a tensor in a random layout, how often and where they occur, bit by bit.
pub(crate) fn check_distinct<D: Typed>(rng: &mut fastrand::Rng, plain: &Plain<D::Element>) {
    let x = laid_out::<D>(rng, plain).into_dyn();
    let positions = sorted_positions(&plain.elements, false);
    let mut firsts: Vec<usize> = vec![];
    let mut inverse = vec![0; plain.elements.len()];
    let mut counts: Vec<usize> = vec![];
    for at in positions {
        let element = plain.elements[at];
        let is_new = firsts
            .last()
            .is_none_or(|first| order(plain.elements[*first], element).is_ne());
        if is_new {
            firsts.push(at);
            counts.push(0);
        }
        *counts.last_mut().unwrap() += 1;
        inverse[at] = firsts.len() - 1;
    }
    let values: Vec<_> = firsts.iter().map(|at| plain.elements[*at]).collect();
    let is_expected = |found: &DynTensor| {
        assert_eq!(found.shape(), [values.len()]);
        let found = found.to_vec::<D>().expect("the same dtype");
        assert_eq!(raw(&found), raw(&values), "{}", D::DTYPE);
    };
    is_expected(&x.unique());
    let (found, found_counts) = x.unique_counts();
    is_expected(&found);
    assert_eq!(positions_of(&found_counts), counts);
    let (found, found_firsts) = x.unique_index();
    is_expected(&found);
    assert_eq!(positions_of(&found_firsts), firsts);
    let (found, found_inverse) = x.unique_inverse();
    is_expected(&found);
    assert_eq!(found_inverse.shape(), plain.shape);
    assert_eq!(positions_of(&found_inverse), inverse);
}

#[test]
fn rows_of_every_length_and_dtype() {
    macro_rules! check {
        ([$rng:ident] $($D:ident)*) => {$(
            for count in [0, 1, 2, 3, 20, 33, 300, 1023, 1024, 3000] {
                check_row::<$D>(&mixture($rng, count));
            }
        )*};
    }
    let rng = &mut fastrand::Rng::with_seed(1);
    each_real!(check[rng]);
}

/// Rows that fill a block of vectors in part, whole, and more than one.
#[test]
fn rows_of_every_length() {
    let rng = &mut fastrand::Rng::with_seed(11);
    // All lengths of a block of 64-bit keys, then those around the sizes of vectors, of which blocks and digits have multiples.
    let lengths = (0..=600).filter(|len| *len <= 130 || (len + 1) % 16 <= 2);
    for count in lengths {
        check_row::<F32>(&mixture(rng, count));
        check_row::<I64>(&mixture(rng, count));
        check_row::<I8>(&mixture(rng, count));
    }
}

/// Positions of rows with as many elements as fit below a key, and one more.
#[test]
fn positions_that_fill_their_digits() {
    let rng = &mut fastrand::Rng::with_seed(12);
    for count in [1 << 16, (1 << 16) + 1] {
        check_row::<F16>(&mixture(rng, count));
        check_row::<I16>(&mixture(rng, count));
        check_row::<F8E5M2>(&mixture(rng, count));
    }
}

/// Every pattern of 8 and 16 bits once, in a random order.
#[test]
fn all_small_elements() {
    fn check<D: Typed>(rng: &mut fastrand::Rng) {
        let bits = 8 * u32::try_from(size_of::<D::Element>()).expect("a small size");
        let mut all: Vec<D::Element> = (0..1_u128 << bits).map(Tested::from_raw).collect();
        rng.shuffle(&mut all);
        check_row::<D>(&all);
        // Of equal keys there are two zeros, and all NaN.
        let unique = tensor_of::<D>(&Plain::new(&[all.len()], all.clone()))
            .into_dyn()
            .unique();
        let nan = all.iter().filter(|element| is_nan(**element)).count();
        let zeros = all
            .iter()
            .filter(|element| order(**element, D::Element::default()).is_eq())
            .count();
        let expected = all.len() - nan.saturating_sub(1) - (zeros - 1);
        assert_eq!(unique.len(), expected, "{}", D::DTYPE);
    }
    macro_rules! check_all {
        ($($D:ident)*) => { $(check::<$D>(&mut fastrand::Rng::with_seed(2));)* };
    }
    check_all!(U8 I8 U16 I16 F16 BF16 F8E4M3FN F8E5M2);
    use supremum::{F8E4M3B11FNUZ, F8E4M3FNUZ, F8E5M2FNUZ};
    check_all!(F8E4M3FNUZ F8E5M2FNUZ F8E4M3B11FNUZ);
}

/// Short rows are sorted side by side, sixteen at a time, and some are left over.
#[test]
fn rows_side_by_side() {
    fn check<D: Typed>(rng: &mut fastrand::Rng, row_len: usize) {
        let plain = Plain::<D::Element>::new(&[35, row_len], mixture(rng, 35 * row_len));
        let x = tensor_of::<D>(&plain).into_dyn();
        for descending in [false, true] {
            let (sorted, order) = match descending {
                false => (x.sort(1), x.argsort(1)),
                true => (x.sort_descending(1), x.argsort_descending(1)),
            };
            let (sorted, order) = (
                sorted.to_vec::<D>().expect("the same dtype"),
                positions_of(&order),
            );
            for (at, row) in plain.elements.chunks(row_len).enumerate() {
                let expected = sorted_positions(row, descending);
                let of_row = at * row_len..(at + 1) * row_len;
                assert_eq!(
                    order[of_row.clone()],
                    expected,
                    "rows of {row_len} {}",
                    D::DTYPE
                );
                let elements: Vec<_> = expected.iter().map(|at| row[*at]).collect();
                let what = format!("rows of {row_len} {}", D::DTYPE);
                assert_same_bits(&sorted[of_row], &elements, &what);
            }
        }
    }
    macro_rules! check {
        ([$rng:ident] $($D:ident)*) => {$(
            for row_len in [1, 2, 3, 5, 8, 13, 31, 64, 100] {
                check::<$D>($rng, row_len);
            }
        )*};
    }
    let rng = &mut fastrand::Rng::with_seed(6);
    each_real!(check[rng]);
    for row_len in [255, 511, 512, 513] {
        check::<F32>(rng, row_len);
        check::<U8>(rng, row_len);
        check::<I64>(rng, row_len);
    }
}

/// More elements than are sorted by all of their digits at once: some buckets are small, and one has nearly all.
#[test]
fn long_rows() {
    fn check<D: Typed>(element: impl FnMut(usize) -> D::Element) {
        check_row::<D>(&(0..LONG + 1000).map(element).collect::<Vec<_>>());
    }
    let mut rng = fastrand::Rng::with_seed(7);
    check::<F32>(|_| rng.f32() * 8.0 - 4.0);
    check::<F64>(|_| rng.f64() * 8.0 - 4.0);
    check::<U32>(|at| {
        if at % 1000 == 0 {
            rng.u32(..)
        } else {
            rng.u32(..5000)
        }
    });
    check::<I16>(|_| rng.i16(..));
    check::<U64>(|_| rng.u64(..7));
    check::<I64>(|_| rng.i64(..));
}

/// Along any axis of any layout; the other axes stay.
#[test]
fn axes_and_layouts() {
    for seed in 0..400 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 4);
        let Some(last) = shape.len().checked_sub(1) else {
            continue;
        };
        let axis = rng.usize(..=last);
        let count = shape.iter().product();
        let plain = Plain::new(&shape, mixture::<f32>(rng, count));
        let x = laid_out::<F32>(rng, &plain);
        let at = signed(rng, axis, shape.len());
        let equal = |found: &Tensor<F32>, expected: &Plain<f32>| {
            assert_eq!(found.shape(), expected.shape, "seed {seed}");
            assert_eq!(raw(&found.to_vec()), raw(&expected.elements), "seed {seed}");
        };
        for descending in [false, true] {
            let sorted = along(&plain, axis, |row| {
                sorted_positions(row, descending)
                    .into_iter()
                    .map(|at| row[at])
                    .collect()
            });
            let positions = along(&plain, axis, |row| sorted_positions(row, descending));
            let (found, order) = match descending {
                false => (x.sort(at), x.argsort(at)),
                true => (x.sort_descending(at), x.argsort_descending(at)),
            };
            if !x.is_empty() {
                equal(&found, &sorted);
                assert_eq!(
                    positions_of(&order.clone().into_dyn()),
                    positions.elements,
                    "seed {seed}"
                );
            }
            assert_eq!((found.shape(), order.shape()), (&shape[..], &shape[..]));
            equal(
                &x.take_along_axis(&order, at),
                &Plain::new(&shape, found.to_vec()),
            );
        }
        let count = rng.usize(..=shape[axis]);
        let (greatest, positions) = x.top_k(count, at);
        assert_eq!(greatest.shape()[axis], count);
        let expected = x.sort_descending(at).slice(at, ..count.cast_signed());
        assert_eq!(
            raw(&greatest.to_vec()),
            raw(&expected.to_vec()),
            "seed {seed}"
        );
        assert_eq!(
            raw(&x.take_along_axis(&positions, at).to_vec()),
            raw(&expected.to_vec())
        );
    }
}

/// Rows are sorted by several threads if there are some.
#[test]
fn many_rows() {
    // A thread sorts at least 52 rows of this length.
    let x = Tensor::<I32, Rank2>::from_fn([160, 2000], |index| {
        i32::try_from((index[0] * 31 + index[1] * 7919) % 1009).expect("a small number")
    });
    let (sorted, order) = (x.sort(1), x.argsort(1));
    assert_eq!(x.take_along_axis(&order, 1), sorted);
    assert!(sorted.slice(1, 1..).ge(&sorted.slice(1, ..-1)).all().item() == Ok(true));
    assert_eq!(x.transpose().sort(0), sorted.transpose());
}

/// Rows in which several values are searched together, also the last values of a row, and more and fewer values than a row has elements.
#[test]
fn positions_in_long_rows() {
    fn check<D: Typed>(rng: &mut fastrand::Rng, row_len: usize, count: usize) {
        let mut rows: Vec<D::Element> = mixture(rng, 2 * row_len);
        let mut values: Vec<D::Element> = mixture(rng, 2 * count);
        for row in rows.chunks_mut(row_len) {
            row.sort_by(|a, b| order(*a, *b));
        }
        // Some ascend: searches together begin and end in the midst.
        values[count / 2..count].sort_by(|a, b| order(*a, *b));
        let x = tensor_of::<D>(&Plain::new(&[2, row_len], rows.clone())).into_dyn();
        let v = tensor_of::<D>(&Plain::new(&[2, count], values.clone())).into_dyn();
        for right in [false, true] {
            let is_before = |element: &D::Element, value: &D::Element| match right {
                false => order(*element, *value).is_lt(),
                true => order(*element, *value).is_le(),
            };
            let each = rows.chunks(row_len).zip(values.chunks(count));
            let expected: Vec<usize> = each
                .flat_map(|(row, values)| {
                    values
                        .iter()
                        .map(|value| row.partition_point(|element| is_before(element, value)))
                })
                .collect();
            let found = match right {
                false => x.searchsorted_rows(&v),
                true => x.searchsorted_rows_right(&v),
            };
            assert_eq!(positions_of(&found), expected, "{row_len} {}", D::DTYPE);
        }
    }
    let rng = &mut fastrand::Rng::with_seed(13);
    for row_len in [1023, 1024, 1025, 3000] {
        for count in [1, 15, 16, 50, 4000] {
            check::<F32>(rng, row_len, count);
            check::<I64>(rng, row_len, count);
            check::<U8>(rng, row_len, count);
        }
    }
}

#[test]
fn positions_in_sorted_vectors() {
    macro_rules! check {
        ([$rng:ident] $($D:ident)*) => {$({
            type E = <$D as StaticDType>::Element;
            let mut sorted: Vec<E> = mixture($rng, 40);
            sorted.sort_by(|a, b| order(*a, *b));
            // Values in any order, then two ascents, the second of which begins below the end of the first.
            let mut values: Vec<E> = mixture($rng, 60);
            values[20..35].sort_by(|a, b| order(*a, *b));
            values[35..].sort_by(|a, b| order(*a, *b));
            let before = |right: bool| -> Vec<usize> {
                let is_before = |element: &E, value: &E| match order(*element, *value) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Equal => right,
                    std::cmp::Ordering::Greater => false,
                };
                let count = |value: &E| sorted.iter().filter(|element| is_before(element, value)).count();
                values.iter().map(count).collect()
            };
            let x = tensor_of::<$D>(&Plain::new(&[40], sorted.clone())).into_dyn();
            let v = tensor_of::<$D>(&Plain::new(&[3, 20], values.clone())).into_dyn();
            let found = x.searchsorted(&v);
            assert_eq!(found.shape(), [3, 20]);
            assert_eq!(positions_of(&found), before(false), "{}", $D::DTYPE);
            assert_eq!(positions_of(&x.searchsorted_right(&v)), before(true), "{}", $D::DTYPE);
            // Two rows of their own, and the last one again.
            let rows = [&sorted[..20], &sorted[20..]].concat();
            let x = tensor_of::<$D>(&Plain::new(&[2, 1, 20], rows)).into_dyn();
            let v = tensor_of::<$D>(&Plain::new(&[2, 1, 30], values.clone())).into_dyn();
            for right in [false, true] {
                let single = |row: isize| {
                    let (x, v) = (x.index_axis(0, row).flatten(), v.index_axis(0, row).flatten());
                    positions_of(&if right { x.searchsorted_right(&v) } else { x.searchsorted(&v) })
                };
                let found = if right { x.searchsorted_rows_right(&v) } else { x.searchsorted_rows(&v) };
                assert_eq!(found.shape(), [2, 1, 30]);
                assert_eq!(positions_of(&found), [single(0), single(1)].concat(), "{}", $D::DTYPE);
            }
        })*};
    }
    let rng = &mut fastrand::Rng::with_seed(3);
    each_real!(check[rng]);
    let none = Tensor::<F32, Rank1>::zeros([0]);
    assert_eq!(none.searchsorted(&tensor![F32; 1.0]).to_vec(), [0]);
    assert_eq!(
        none.searchsorted(&Tensor::<F32, Rank0>::scalar(1.0)).item(),
        Ok(0)
    );
}

/// `torch.searchsorted` of PyTorch 2.15.0.
#[test]
fn positions_in_sorted_rows_are_those_of_pytorch() {
    let edges: Tensor<F32, Rank2> = tensor![[1, 3, 5, 7, 9], [2, 4, 6, 8, 10]];
    let values: Tensor<F32, Rank2> = tensor![[3, 6, 9], [3, 6, 9]];
    assert_eq!(
        edges.searchsorted_rows(&values).to_vec(),
        [1, 3, 4, 1, 2, 4]
    );
    assert_eq!(
        edges.searchsorted_rows_right(&values).to_vec(),
        [2, 3, 5, 1, 3, 4]
    );
    // Rows of no elements, rows without values, and no rows.
    let none = |x: &[usize], v: &[usize]| {
        let [x, v] = [x, v].map(|shape| Tensor::<F32, AnyRank>::zeros(shape));
        let found = x.searchsorted_rows(&v);
        (found.shape().to_vec(), found.to_vec())
    };
    assert_eq!(none(&[2, 0], &[2, 1]), (vec![2, 1], vec![0, 0]));
    assert_eq!(none(&[2, 3], &[2, 0]), (vec![2, 0], vec![]));
    assert_eq!(none(&[0, 3], &[0, 2]), (vec![0, 2], vec![]));
    let text = |result: Result<Tensor<I64, Rank2>, Error>| result.unwrap_err().to_string();
    assert_eq!(
        text(edges.try_searchsorted_rows(&values.transpose())),
        "searchsorted_rows: axis 0 of the rows has size 2, axis 0 of the values has size 3 (shapes [2, 5] and [3, 2])"
    );
    let scalar = Tensor::<F32, Rank0>::zeros([]);
    assert_eq!(
        scalar
            .try_searchsorted_rows(&scalar)
            .unwrap_err()
            .to_string(),
        "searchsorted_rows: at least 1 axis expected, found rank 0 (shape [])"
    );
}

#[test]
fn distinct_elements() {
    macro_rules! check {
        ([$rng:ident] $($D:ident)*) => {$({
            // Shapes, and from how many elements theirs are drawn. From 256 elements on, few distinct ones are counted without a sort.
            for (shape, pool) in [
                (vec![], 1),
                (vec![0], 1),
                (vec![7], 7),
                (vec![4, 25], 100),
                (vec![2, 0], 1),
                (vec![255], 9),
                (vec![8, 40], 60),
                (vec![3000], 2800),
            ] {
                type E = <$D as StaticDType>::Element;
                let count = shape.iter().product();
                let pool: Vec<E> = mixture($rng, pool);
                let elements = (0..count).map(|_| pool[$rng.usize(..pool.len())]).collect();
                let plain = Plain::<E>::new(&shape, elements);
                check_distinct::<$D>($rng, &plain);
            }
        })*};
    }
    let rng = &mut fastrand::Rng::with_seed(4);
    each_real!(check[rng]);
}

/// Up to 1,024 distinct elements are counted in a hash table, unless too many of them collide.
#[test]
fn distinct_elements_around_the_limits_of_the_table() {
    let hash = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52;
    let colliding: Vec<u64> = (0..).filter(|it| hash(*it) == hash(7)).take(50).collect();
    for distinct in [
        (0..1023).collect(),
        (0..1024).collect(),
        (0..1025).collect(),
        colliding[..32].to_vec(),
        colliding[..33].to_vec(),
        colliding,
    ] {
        let distinct: Vec<u64> = distinct;
        let repeated: Vec<u64> = distinct
            .iter()
            .rev()
            .copied()
            .cycle()
            // At least 256 elements: fewer are always sorted.
            .take(8 * distinct.len() + 1)
            .collect();
        let x: Tensor<U64, Rank1> = repeated.iter().copied().collect();
        let (values, counts) = x.unique_counts();
        assert_eq!(
            (values.to_vec(), x.unique().to_vec()),
            (distinct.clone(), distinct.clone())
        );
        let mut expected = vec![8; distinct.len()];
        *expected.last_mut().unwrap() = 9;
        assert_eq!(counts.to_vec(), expected);
        let (_, inverse) = x.unique_inverse();
        let places = positions_of(&inverse.into_dyn());
        let found: Vec<u64> = places.into_iter().map(|at| distinct[at]).collect();
        assert_eq!(found, repeated);
    }
}

/// Typed sorts have the dtypes that the rules give, and sorts in expressions those of their operands.
#[test]
fn typed_sorts() {
    let x: Tensor<BF16, Rank2> = tensor![[2.0, 1.0], [3.0, 4.0]];
    let sorted: Tensor<BF16, Rank2> = x.sort(-1);
    let order: Tensor<I64, Rank2> = x.argsort(-1);
    let (greatest, at): (Tensor<BF16, Rank2>, Tensor<I64, Rank2>) = x.top_k(1, 0);
    let (values, counts): (Tensor<BF16, Rank1>, Tensor<I64, Rank1>) = x.unique_counts();
    let (_, inverse): (Tensor<BF16, Rank1>, Tensor<I64, Rank2>) = x.unique_inverse();
    assert_eq!(order.to_vec(), [1, 0, 0, 1]);
    assert_eq!(at.to_vec(), [1, 1]);
    assert_eq!(greatest.cast::<F32>().to_vec(), [3.0, 4.0]);
    assert_eq!(
        (counts.to_vec(), inverse.to_vec()),
        (vec![1; 4], vec![1, 0, 2, 3])
    );
    assert_eq!(values.reshape([2, 2]), sorted);
    assert_eq!(
        fuse!(x.sort(1) + x.sort_descending(1))
            .cast::<F32>()
            .to_vec(),
        [3.0, 3.0, 7.0, 7.0]
    );
    let positions: Tensor<I32, Rank2, JaxX32> = x.with_rules::<JaxX32>().argsort(0);
    assert_eq!(positions.to_vec(), [0, 0, 1, 1]);
}

#[test]
fn errors_of_sorts() {
    let x = Tensor::<F32>::zeros([2, 3]);
    let scalar = Tensor::<F32>::zeros([]);
    let none = Tensor::<F32>::zeros([0]);
    refused! {
        x.try_sort(2), x.sort(2) => "sort: axis 2 does not exist at rank 2";
        x.try_sort_descending(-3), x.sort_descending(-3) => "sort_descending: axis -3 does not exist at rank 2";
        scalar.try_sort(0), scalar.sort(0) => "sort: axis 0 does not exist at rank 0";
        x.try_argsort(2), x.argsort(2) => "argsort: axis 2 does not exist at rank 2";
        scalar.try_argsort_descending(-1), scalar.argsort_descending(-1) => "argsort_descending: axis -1 does not exist at rank 0";
        x.try_top_k(1, 5), x.top_k(1, 5) => "top_k: axis 5 does not exist at rank 2";
        x.try_top_k(4, 1), x.top_k(4, 1) => "top_k: axis 1 of size 3 does not have 4 elements";
        x.try_top_k(usize::MAX, 0), x.top_k(usize::MAX, 0) => "top_k: axis 0 of size 2 does not have 18446744073709551615 elements";
        none.try_top_k(1, 0), none.top_k(1, 0) => "top_k: axis 0 of size 0 does not have 1 element";
        x.try_searchsorted(&none), x.searchsorted(&none) => "searchsorted: rank 1 expected, found shape [2, 3]";
        scalar.try_searchsorted_right(&none), scalar.searchsorted_right(&none) => "searchsorted_right: rank 1 expected, found shape []";
    }
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    let z = DynTensor::zeros(DType::C64, [2]).expect("memory");
    assert_eq!(text(z.try_sort(0)), "sort: undefined on c64");
    assert_eq!(text(z.try_unique()), "unique: undefined on c64");
    assert_eq!(
        text(z.try_argsort(0)),
        "argsort: undefined on c64 under `jax` rules, for c64 of shape [2]; cast first"
    );
    let ints = DynTensor::zeros(DType::I32, [2]).expect("memory");
    assert_eq!(
        text(ints.try_searchsorted(&x.into_dyn())),
        "searchsorted: expected i32, found f32"
    );
}
