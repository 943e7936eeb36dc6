//! Views and broadcasting, judged by naive index maps: chains of views over random shapes, also
//! without elements, at ranks 0 to 6; and every error of a shape.
#![allow(clippy::as_conversions, reason = "small numbers as sizes")]

mod exact;
mod naive;

use core::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naive::{Plain, broadcast, indices};
use proptest::prelude::*;
use proptest::test_runner::Config;
use supremum::{
    AnyRank, Error, F16, F32, I32, I64, Rank0, Rank1, Rank2, Rank3, Rank6, Tensor, U8, concat,
    stack, tensor,
};

type Any = Tensor<I32>;

/// Numbered elements.
fn numbered(shape: &[usize]) -> (Any, Plain<i32>) {
    let count = shape.iter().product::<usize>();
    let elements: Vec<i32> = (0..i32::try_from(count).expect("few elements")).collect();
    let tensor = Any::from_slice(&elements, shape).expect("a shape that fits");
    (tensor, Plain::new(shape, elements))
}

/// Asserts that a tensor shows what the oracle does, by every way of reading it.
fn assert_shows(tensor: &Any, plain: &Plain<i32>, what: &str) {
    assert_eq!(tensor.shape(), plain.shape, "{what}");
    assert_eq!(tensor.ndim(), plain.shape.len(), "{what}");
    assert_eq!(tensor.len(), plain.elements.len(), "{what}");
    assert_eq!(tensor.is_empty(), plain.elements.is_empty(), "{what}");
    assert_eq!(tensor.to_vec(), plain.elements, "{what}: to_vec");
    assert!(
        tensor.iter().eq(plain.elements.iter().copied()),
        "{what}: iter"
    );
    if let Some(slice) = tensor.as_slice() {
        assert_eq!(slice, plain.elements, "{what}: as_slice");
    }
    for (index, expected) in indices(&plain.shape).iter().zip(&plain.elements) {
        assert_eq!(tensor.get(index), Some(*expected), "{what}: get {index:?}");
    }
    let outside = if plain.shape.is_empty() {
        &[0]
    } else {
        &plain.shape[..]
    };
    assert_eq!(tensor.get(outside), None, "{what}: get outside");
    let too_many = [&plain.shape, &[0][..]].concat();
    assert_eq!(tensor.get(&too_many), None, "{what}: get, too many axes");
    assert_eq!(tensor.flatten().to_vec(), plain.elements, "{what}: flatten");
    assert_eq!(
        (tensor + 0).to_vec(),
        plain.elements,
        "{what}: an operation"
    );
    let mut written = tensor.clone();
    written.as_mut_slice().fill(-7);
    assert_eq!(
        tensor.to_vec(),
        plain.elements,
        "{what}: after writing to a clone"
    );
    assert_eq!(
        written.to_vec(),
        vec![-7; plain.elements.len()],
        "{what}: written"
    );
}

/// A view, with numbers that are reduced to what the shape allows.
#[derive(Clone, Debug)]
enum View {
    Reshape(u32),
    Permute(u32),
    Slice(u32, u32, u32, isize),
    Index(u32, u32),
    Broadcast(u32),
    Squeeze(u32),
    Unsqueeze(u32),
    Flip(u32),
    SwapAxes(u32, u32),
    Transpose,
}

fn view() -> impl Strategy<Value = View> {
    let n = || 0..1000_u32;
    prop_oneof![
        n().prop_map(View::Reshape),
        n().prop_map(View::Permute),
        (n(), n(), n(), -3..4_isize).prop_map(|(axis, a, b, step)| View::Slice(axis, a, b, step)),
        (n(), n()).prop_map(|(axis, at)| View::Index(axis, at)),
        n().prop_map(View::Broadcast),
        n().prop_map(View::Squeeze),
        n().prop_map(View::Unsqueeze),
        n().prop_map(View::Flip),
        (n(), n()).prop_map(|(a, b)| View::SwapAxes(a, b)),
        Just(View::Transpose),
    ]
}

fn shape(max_rank: usize) -> impl Strategy<Value = Vec<usize>> {
    // Sizes of zero are rare enough that most tensors have elements.
    let size = prop_oneof![1 => Just(0_usize), 6 => Just(1_usize), 8 => 2..4_usize];
    prop::collection::vec(size, 0..=max_rank)
}

fn modulo(number: u32, limit: usize) -> usize {
    number as usize % limit
}

/// An axis, counted from the front or from the end.
fn signed(axis: usize, rank: usize, number: u32) -> isize {
    let axis = isize::try_from(axis).expect("a small axis");
    if number.is_multiple_of(2) {
        axis
    } else {
        axis - isize::try_from(rank).expect("a small rank")
    }
}

/// All factorisations of a number into two, as shapes, with ones put in.
fn reshapes(count: usize) -> Vec<Vec<usize>> {
    let mut shapes = vec![vec![count], vec![1, count, 1], vec![count, 1]];
    for first in 2..count {
        if count.is_multiple_of(first) {
            shapes.push(vec![first, count / first]);
            shapes.push(vec![first, 1, count / first]);
            for second in 2..count / first {
                if (count / first).is_multiple_of(second) {
                    shapes.push(vec![first, second, count / first / second]);
                }
            }
        }
    }
    match count {
        0 => shapes.extend([vec![0, 3], vec![3, 0, 2]]),
        1 => shapes.push(vec![]),
        _ => {}
    }
    shapes
}

fn without(values: &[usize], axis: usize) -> Vec<usize> {
    let mut left = values.to_vec();
    left.remove(axis);
    left
}

fn with(values: &[usize], axis: usize, value: usize) -> Vec<usize> {
    let mut more = values.to_vec();
    more.insert(axis, value);
    more
}

/// The same view of both; where the shape does not allow it, both stay.
fn viewed(view: &View, t: &Any, p: &Plain<i32>) -> (Any, Plain<i32>) {
    let shape = p.shape.clone();
    let rank = shape.len();
    match *view {
        View::Reshape(n) => {
            let shapes = reshapes(p.elements.len());
            let to = &shapes[modulo(n, shapes.len())];
            (t.reshape(to.as_slice()), Plain::new(to, p.elements.clone()))
        }
        View::Permute(n) => {
            let mut left: Vec<usize> = (0..rank).collect();
            let (mut order, mut n) = (vec![], n as usize);
            while !left.is_empty() {
                order.push(left.remove(n % left.len()));
                n /= 2;
            }
            let to: Vec<usize> = order.iter().map(|axis| shape[*axis]).collect();
            let from = |index: &[usize]| {
                let mut source = vec![0; rank];
                for (at, axis) in index.iter().zip(&order) {
                    source[*axis] = *at;
                }
                source
            };
            (t.permute(&order), p.mapped(&to, from))
        }
        View::Slice(axis, a, b, step) if rank > 0 => {
            let n = axis;
            let axis = modulo(axis, rank);
            let step = if step == 0 { 1 } else { step };
            let (a, b) = (modulo(a, shape[axis] + 1), modulo(b, shape[axis] + 1));
            let (start, end) = (a.min(b), a.max(b));
            let mut positions: Vec<usize> = (start..end).collect();
            if step < 0 {
                positions.reverse();
            }
            let positions: Vec<usize> =
                positions.into_iter().step_by(step.unsigned_abs()).collect();
            let mut to = shape.clone();
            to[axis] = positions.len();
            let plain = p.mapped(&to, |index| {
                let mut source = index.to_vec();
                source[axis] = positions[index[axis]];
                source
            });
            (
                t.slice_step(signed(axis, rank, n / 7), start..end, step),
                plain,
            )
        }
        View::Index(axis, at) if rank > 0 && shape[modulo(axis, rank)] > 0 => {
            let n = axis;
            let axis = modulo(axis, rank);
            let at = modulo(at, shape[axis]);
            let plain = p.mapped(&without(&shape, axis), |index| with(index, axis, at));
            (t.index_axis(signed(axis, rank, n / 7), at), plain)
        }
        View::Broadcast(n) if p.elements.len() < 500 && rank < 6 => {
            let mut to: Vec<usize> = shape
                .iter()
                .enumerate()
                .map(|(axis, size)| {
                    if *size == 1 {
                        modulo(n >> axis, 3)
                    } else {
                        *size
                    }
                })
                .collect();
            if n % 3 == 0 {
                to.insert(0, 2);
            }
            let plain = p.mapped(&to, |index| index[to.len() - rank..].to_vec());
            (t.broadcast_to(to.as_slice()), plain)
        }
        View::Squeeze(n) if shape.contains(&1) => {
            let ones: Vec<usize> = (0..rank).filter(|axis| shape[*axis] == 1).collect();
            let axis = ones[modulo(n, ones.len())];
            let plain = p.mapped(&without(&shape, axis), |index| with(index, axis, 0));
            (t.squeeze(signed(axis, rank, n / 7)), plain)
        }
        View::Unsqueeze(n) if rank < 7 => {
            let axis = modulo(n, rank + 1);
            let plain = p.mapped(&with(&shape, axis, 1), |index| without(index, axis));
            (t.unsqueeze(signed(axis, rank + 1, n / 7)), plain)
        }
        View::Flip(n) if rank > 0 => {
            let axis = modulo(n, rank);
            let plain = p.mapped(&shape, |index| {
                let mut source = index.to_vec();
                source[axis] = shape[axis] - 1 - index[axis];
                source
            });
            (t.flip(signed(axis, rank, n / 7)), plain)
        }
        View::SwapAxes(a, b) if rank > 0 => {
            let (first, second) = (modulo(a, rank), modulo(b, rank));
            let swap = |values: &[usize]| {
                let mut swapped = values.to_vec();
                swapped.swap(first, second);
                swapped
            };
            let view = t.swap_axes(signed(first, rank, a / 7), signed(second, rank, b / 7));
            (view, p.mapped(&swap(&shape), swap))
        }
        View::Transpose => {
            let backwards =
                |values: &[usize]| -> Vec<usize> { values.iter().rev().copied().collect() };
            (t.transpose(), p.mapped(&backwards(&shape), backwards))
        }
        _ => (t.clone(), p.clone()),
    }
}

/// Two shapes that fit together: one, and the same with some axes left out or of size one.
fn pair_of_shapes() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    (shape(5), any::<[u8; 6]>()).prop_map(|(shape, choices)| {
        let side = |bit: u8| -> Vec<usize> {
            let sizes = shape.iter().zip(choices);
            let sizes: Vec<usize> = sizes
                .map(|(size, choice)| if choice & 3 == bit { 1 } else { *size })
                .collect();
            let dropped = if choices[5] & 3 == bit {
                usize::from(choices[5] >> 4).min(sizes.len())
            } else {
                0
            };
            sizes[dropped..].to_vec()
        };
        (side(1), side(2))
    })
}

proptest! {
    #![proptest_config(Config { cases: 600, failure_persistence: None, ..Config::default() })]

    #[test]
    fn views_compose(shape in shape(6), views in prop::collection::vec(view(), 1..7)) {
        let (mut tensor, mut plain) = numbered(&shape);
        let original = (tensor.clone(), plain.clone());
        for view in &views {
            (tensor, plain) = viewed(view, &tensor, &plain);
            assert_shows(&tensor, &plain, &format!("{shape:?} after {view:?} of {views:?}"));
        }
        assert_shows(&original.0, &original.1, "the original");
    }

    #[test]
    fn operations_broadcast(
        (left, right) in pair_of_shapes(),
        views in prop::collection::vec(view(), 0..3),
    ) {
        let (mut a, mut p) = numbered(&left);
        for view in views.iter().filter(|view| matches!(view, View::Permute(_) | View::Flip(_) | View::Slice(..))) {
            (a, p) = viewed(view, &a, &p);
        }
        let (b, q) = numbered(&right);
        let b = b + 100;
        let q = q.map(|x| x + 100);
        match broadcast(&p.shape, &q.shape) {
            Some(shape) => {
                let expected = p.zip(&q, |a, b| a - 2 * b);
                assert_shows(&(&a - 2 * &b), &expected, "a - 2 b");
                let found = a.clone() - b.clone() * 2;
                assert_shows(&found, &expected, "owned");
                prop_assert_eq!(found.shape(), shape.as_slice());
                prop_assert_eq!(a.lt(&b).to_vec(), p.zip(&q, |a, b| a < b).elements);
                let chosen = supremum::select(&b.lt(110), &a, &b);
                let condition = q.map(|b| b < 110);
                let expected = condition.zip(&p.zip(&q, |a, b| (a, b)), |c, (a, b)| if c { a } else { b });
                assert_shows(&chosen, &expected, "select");
            }
            None => {
                prop_assert!(matches!(a.try_add(&b), Err(Error::ShapeMismatch { .. })), "add");
                prop_assert!(matches!(a.try_lt(&b), Err(Error::ShapeMismatch { .. })), "lt");
            }
        }
    }

    #[test]
    fn unrelated_shapes_fit_as_in_the_oracle(left in shape(4), right in shape(4)) {
        let (a, _) = numbered(&left);
        let (b, _) = numbered(&right);
        let found = a.try_mul(&b).map(|product| product.shape().to_vec()).ok();
        prop_assert_eq!(found, broadcast(&left, &right));
    }

    #[test]
    fn concatenation_and_stacking(shape in shape(4), views in prop::collection::vec(view(), 0..3), n in 0..100_u32, other in 0..4_usize) {
        let (mut a, mut p) = numbered(&shape);
        for view in &views {
            (a, p) = viewed(view, &a, &p);
        }
        let rank = p.shape.len();
        if rank > 0 {
            let axis = modulo(n, rank);
            let mut size = p.shape.clone();
            size[axis] = other;
            let (b, q) = numbered(&size);
            let mut to = p.shape.clone();
            to[axis] += other;
            let elements = indices(&to).iter().map(|index| {
                let mut index = index.clone();
                if index[axis] < p.shape[axis] {
                    p.at(&index)
                } else {
                    index[axis] -= p.shape[axis];
                    // No broadcasting: sizes along the axis may be one.
                    let position = index.iter().zip(&q.shape).fold(0, |position, (at, size)| position * size + at);
                    q.elements[position]
                }
            }).collect();
            let joined = concat(&[&a, &b], signed(axis, rank, n / 3)).expect("shapes that fit");
            assert_shows(&joined, &Plain::new(&to, elements), "concat");
            prop_assert_eq!(a.concat(&b, signed(axis, rank, n)).to_vec(), joined.to_vec());
        }
        if rank < 7 {
            let axis = modulo(n, rank + 1);
            let backwards = &a * -1;
            let stacked = stack(&[&a, &backwards, &a], signed(axis, rank + 1, n / 3)).expect("shapes that fit");
            let expected = p.mapped(&with(&p.shape, axis, 1), |index| without(index, axis));
            let to = with(&p.shape, axis, 3);
            let mut signs = vec![1; rank + 1];
            signs[axis] = 3;
            let expected = expected.zip(&Plain::new(&signs, vec![1, -1, 1]), |x, sign| x * sign);
            prop_assert_eq!(&expected.shape, &to);
            assert_shows(&stacked, &expected, "stack");
        }
    }
}

fn panic_text<T: Debug>(f: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    panic
        .downcast_ref::<String>()
        .expect("a formatted panic")
        .clone()
}

/// The fallible form's error, with this text; the other form panics with it.
macro_rules! refused {
    ($($fallible:expr, $panicking:expr => $text:expr;)*) => {{
        let mut checked = 0;
        $(
            assert_eq!($fallible.expect_err("an error").to_string(), $text);
            assert_eq!(panic_text(|| $panicking), $text);
            checked += 1;
        )*
        println!("{checked} errors of shapes");
    }};
}

#[test]
fn errors_of_shapes_in_full() {
    let t = Any::zeros([2, 3]);
    let empty = Any::zeros([0, 3]);
    let deep = Any::zeros([1; 8]);
    refused! {
        t.try_reshape([4, 2]), t.reshape([4, 2]) => "reshape: the elements of [2, 3] do not fill the shape [4, 2]";
        t.try_reshape([usize::MAX, 2]), t.reshape([usize::MAX, 2]) => "reshape: the elements of [2, 3] do not fill the shape [9223372036854775807, 2]";
        t.try_reshape(vec![1; 9]), t.reshape(vec![1; 9]) => "reshape: rank 9 is above the limit of 8";
        t.try_permute([0, 0]), t.permute([0, 0]) => "permute: [0, 0] is not an order of the axes of rank 2";
        t.try_permute([0]), t.permute([0]) => "permute: [0] is not an order of the axes of rank 2";
        t.try_permute([0, 2]), t.permute([0, 2]) => "permute: [0, 2] is not an order of the axes of rank 2";
        t.try_permute([0, 1, 1]), t.permute([0, 1, 1]) => "permute: [0, 1, 1] is not an order of the axes of rank 2";
        t.try_slice(2, ..), t.slice(2, ..) => "slice: axis 2 does not exist at rank 2";
        t.try_slice(-3, ..), t.slice(-3, ..) => "slice: axis -3 does not exist at rank 2";
        t.try_slice(0, ..3), t.slice(0, ..3) => "slice: 0..3 is not within axis 0 of size 2";
        t.try_slice(-1, 4..), t.slice(-1, 4..) => "slice: 4..3 is not within axis 1 of size 3";
        t.try_slice(1, 2..=usize::MAX), t.slice(1, 2..=usize::MAX) => "slice: 2..9223372036854775807 is not within axis 1 of size 3";
        t.try_slice_step(0, .., 0), t.slice_step(0, .., 0) => "slice_step: the step along axis 0 is zero";
        t.try_index_axis(1, 3), t.index_axis(1, 3) => "index_axis: index 3 is outside axis 1 of size 3";
        t.try_index_axis(isize::MIN, 0), t.index_axis(isize::MIN, 0) => "index_axis: axis -9223372036854775808 does not exist at rank 2";
        empty.try_index_axis(0, 0), empty.index_axis(0, 0) => "index_axis: index 0 is outside axis 0 of size 0";
        t.try_broadcast_to([2, 2]), t.broadcast_to([2, 2]) => "broadcast_to: shapes [2, 3] and [2, 2] do not fit together";
        t.try_broadcast_to([3]), t.broadcast_to([3]) => "broadcast_to: shapes [2, 3] and [3] do not fit together";
        t.try_broadcast_to([1 << 62, 2, 3]), t.broadcast_to([1 << 62, 2, 3]) => "broadcast_to: shape [4611686018427387904, 2, 3] has more elements than can be addressed";
        t.try_squeeze(0), t.squeeze(0) => "squeeze: axis 0 has size 2, expected 1";
        t.try_squeeze(5), t.squeeze(5) => "squeeze: axis 5 does not exist at rank 2";
        t.try_unsqueeze(4), t.unsqueeze(4) => "unsqueeze: axis 4 does not exist at rank 3";
        deep.try_unsqueeze(0), deep.unsqueeze(0) => "unsqueeze: rank 9 is above the limit of 8";
        t.try_flip(2), t.flip(2) => "flip: axis 2 does not exist at rank 2";
        t.try_swap_axes(0, 2), t.swap_axes(0, 2) => "swap_axes: axis 2 does not exist at rank 2";
        Any::try_full([1 << 61], 0), Any::full([1 << 61], 0) => "full: shape [2305843009213693952] has more elements than can be addressed";
        Any::try_full([0, usize::MAX, 2], 0), Any::full([0, usize::MAX, 2], 0) => "full: shape [0, 18446744073709551615, 2] has more elements than can be addressed";
        Any::try_full(vec![1; 9], 0), Any::full(vec![1; 9], 0) => "full: rank 9 is above the limit of 8";
    }
    let errors = [
        Any::from_vec(vec![1, 2, 3], [2, 2]).map(|_| ()),
        Any::from_vec(vec![], []).map(|_| ()),
        concat::<I32, AnyRank, supremum::Jax>(&[], 0).map(|_| ()),
        concat(&[&t, &Any::zeros([2, 2])], 0).map(|_| ()),
        concat(&[&t, &t], 2).map(|_| ()),
        concat(&[&Any::zeros([]), &Any::zeros([])], 0).map(|_| ()),
        concat(&[&t, &Any::zeros([3])], 0).map(|_| ()),
        stack::<I32, AnyRank, supremum::Jax>(&[], 0).map(|_| ()),
        stack(&[&t, &empty], 0).map(|_| ()),
        stack(&[&t], 3).map(|_| ()),
        stack(&[&deep], 0).map(|_| ()),
        t.rank::<Rank3>().map(|_| ()),
        t.item().map(|_| ()),
    ];
    let texts: Vec<String> = errors
        .iter()
        .map(|e| e.clone().expect_err("an error").to_string())
        .collect();
    assert_eq!(
        texts,
        [
            "from_vec: expected 4 elements, found 3",
            "from_vec: expected 1 elements, found 0",
            "concat: no tensors",
            "concat: shapes [2, 3] and [2, 2] do not fit together",
            "concat: axis 2 does not exist at rank 2",
            "concat: axis 0 does not exist at rank 0",
            "concat: shapes [2, 3] and [3] do not fit together",
            "stack: no tensors",
            "stack: shapes [2, 3] and [0, 3] do not fit together",
            "stack: axis 3 does not exist at rank 3",
            "stack: rank 9 is above the limit of 8",
            "rank: rank 3 expected, found shape [2, 3]",
            "item: one element expected, found shape [2, 3]",
        ]
    );
}

#[test]
fn bounds_of_ranges() {
    use core::ops::Bound;
    let t: Tensor<I32, Rank1> = tensor![0, 1, 2, 3, 4];
    assert_eq!(t.slice(0, 1..=3).to_vec(), [1, 2, 3]);
    assert_eq!(
        t.slice(0, (Bound::Excluded(1), Bound::Unbounded)).to_vec(),
        [2, 3, 4]
    );
    assert_eq!(t.slice(0, 5..).to_vec(), [0_i32; 0]);
    assert_eq!(t.slice(0, 2..2).to_vec(), [0_i32; 0]);
    assert_eq!(t.slice_step(0, .., isize::MAX).to_vec(), [0]);
    assert_eq!(t.slice_step(0, .., isize::MIN).to_vec(), [4]);
    assert_eq!(t.slice_step(0, 1..4, -2).to_vec(), [3, 1]);
    assert_eq!(t.slice_step(0, 0..0, -1).to_vec(), [0_i32; 0]);
    assert!(
        t.try_slice(0, (Bound::Excluded(usize::MAX), Bound::Unbounded))
            .is_err()
    );
    #[expect(clippy::reversed_empty_ranges, reason = "that is the error")]
    let backwards = t.try_slice(0, 3..2);
    assert!(matches!(backwards, Err(Error::SliceOutOfRange { .. })));
    let none = Tensor::<I32, Rank1>::zeros([0]);
    assert_eq!(
        none.flip(0).slice(0, ..).slice_step(0, .., -5).to_vec(),
        [0_i32; 0]
    );
}

#[test]
fn ranks_in_types() {
    let cube = Tensor::<F32, Rank3>::zeros([2, 3, 4]);
    let matrix: Tensor<F32, Rank2> = cube.index_axis(-1, 0);
    let scalar: Tensor<F32, Rank0> = matrix.index_axis(0, 1).index_axis(0, 2);
    assert_eq!(scalar.shape(), [0_usize; 0]);
    let six: Tensor<F32, Rank6> = cube.unsqueeze(0).unsqueeze(0).unsqueeze(-1);
    assert_eq!(six.shape(), [1, 1, 2, 3, 4, 1]);
    let seven: Tensor<F32, AnyRank> = six.unsqueeze(3);
    assert_eq!(seven.shape(), [1, 1, 2, 1, 3, 4, 1]);
    let sum: Tensor<F32, Rank3> = &cube + &matrix.unsqueeze(-1);
    assert_eq!(sum.shape(), [2, 3, 4]);
    let forgotten: Tensor<F32> = &cube + &matrix.clone().into_any().unsqueeze(-1);
    assert_eq!(forgotten.shape(), [2, 3, 4]);
    let flat: Tensor<F32, Rank1> = cube.flatten();
    assert_eq!(flat.shape(), [24]);
    let from: Tensor<F32> = matrix.into();
    assert_eq!(from.rank::<Rank2>().expect("a matrix").shape(), [2, 3]);
}

#[test]
fn views_share_and_copies_do_not() {
    let t = Any::zeros([4, 6]);
    assert_eq!(t.strides(), [6, 1]);
    assert_eq!(t.transpose().strides(), [1, 6]);
    assert_eq!(t.flip(0).strides(), [-6, 1]);
    assert_eq!(t.slice_step(1, .., 2).strides(), [6, 2]);
    assert_eq!(t.index_axis(0, 0).broadcast_to([3, 6]).strides(), [0, 1]);
    // Rows of a slice can be split, but not joined.
    assert_eq!(t.slice(1, ..4).reshape([4, 2, 2]).strides(), [6, 2, 1]);
    assert_eq!(t.slice(1, ..4).reshape([16]).strides(), [1]);
    assert_eq!(t.flip(0).flip(1).reshape([24]).strides(), [-1]);
    assert!(t.transpose().as_slice().is_none());
    assert!(t.slice(0, 1..).as_slice().is_some());
}

/// A shape without elements, everywhere.
#[test]
fn no_elements_anywhere() {
    for shape in [vec![0], vec![0, 3], vec![2, 0], vec![2, 0, 3], vec![0, 0]] {
        let t = Tensor::<F32>::zeros(shape.as_slice());
        let rank = shape.len();
        assert_eq!((&t + 1.0).shape(), shape);
        assert_eq!((&t / &t).shape(), shape);
        assert_eq!((-&t).sqrt().shape(), shape);
        assert_eq!(t.lt(&t).shape(), shape);
        assert_eq!(t.transpose().transpose().shape(), shape);
        assert_eq!(t.flatten().shape(), [0]);
        assert_eq!(
            t.cast::<U8>()
                .try_cast::<F16>()
                .expect("nothing to lose")
                .shape(),
            shape
        );
        assert_eq!(t.sum().item(), Ok(0.0));
        assert_eq!(t.cumsum(0).shape(), shape);
        assert_eq!(
            concat(&[&t, &t], 0).expect("equal shapes").shape()[0],
            2 * shape[0]
        );
        assert_eq!(stack(&[&t, &t], -1).expect("equal shapes").shape()[rank], 2);
        assert_eq!(t, t.clone());
        assert!(t.approx_eq(&t, 0.0, 0.0));
        assert_eq!(t.iter().count(), 0);
        assert!(t.item().is_err());
        assert_eq!(t.get(&vec![0; rank]), None);
        assert_eq!(supremum::select(&t.lt(0.0), &t, 1.0).shape(), shape);
        let mut written = t.clone();
        assert!(written.as_mut_slice().is_empty());
    }
    let nothing = Tensor::<I64>::zeros([3, 0]);
    let row: Tensor<I64> = tensor![[5], [6], [7]];
    assert_eq!((&nothing % &row).shape(), [3, 0]);
    assert_eq!((&row + &nothing).shape(), [3, 0]);
    assert!(nothing.try_add(&Tensor::<I64>::zeros([2])).is_err());
}

#[test]
fn shapes_beyond_memory_are_errors() {
    let found = Tensor::<U8, Rank1>::try_full([1 << 57], 0);
    assert!(matches!(found, Err(Error::OutOfMemory { .. })), "{found:?}");
    let found = Tensor::<F32, Rank2>::try_full([1 << 28, 1 << 28], 1.5);
    assert!(matches!(found, Err(Error::OutOfMemory { .. })));
}

#[test]
fn literals_have_as_many_axes_as_tensors_can() {
    let t: Tensor<F32> = tensor![[[[[[[[1.0, 2.0]]]]]]]];
    assert_eq!(t.shape(), [1, 1, 1, 1, 1, 1, 1, 2]);
}

/// One size may be left to the number of elements; nothing else may be negative.
#[test]
fn one_size_follows_from_the_others() -> Result<(), Error> {
    let t = Tensor::<I32, Rank1>::arange(0.0, 12.0, 1.0)?;
    let rows: Tensor<I32, Rank2> = t.reshape([3, -1]);
    assert_eq!(rows.shape(), [3, 4]);
    assert_eq!(t.reshape([-1]).shape(), [12]);
    assert_eq!(t.reshape(vec![2_isize, -1, 3]).shape(), [2, 2, 3]);
    assert_eq!(t.reshape(&[-1_i64, 6][..]).shape(), [2, 6]);
    assert_eq!(t.clone().into_dyn().try_reshape([-1, 2])?.shape(), [6, 2]);
    let none = Tensor::<I32, Rank1>::zeros([0]);
    assert_eq!(none.reshape([5, -1]).shape(), [5, 0]);
    for (refused, shape) in [
        (t.try_reshape([5, -1]), [5, -1]),
        (t.try_reshape([-1, -1]), [-1, -1]),
        (t.try_reshape([-2, -6]), [-2, -6]),
        (t.try_reshape([0, -1]), [0, -1]),
        (none.try_reshape([0, -1]), [0, -1]), // any size would do
    ] {
        let text = refused.expect_err("no such shape").to_string();
        assert!(
            text.ends_with(&format!("do not fill the shape {shape:?}")),
            "{text}"
        );
    }
    assert!(t.try_reshape([isize::MAX, isize::MAX]).is_err());
    assert!(t.try_reshape([usize::MAX]).is_err());
    assert!(t.try_reshape(vec![1; 9]).is_err());
    Ok(())
}

/// Negative bounds count from the end, and stay within the axis.
#[allow(
    clippy::reversed_empty_ranges,
    reason = "negative ends count from the end of the axis"
)]
#[test]
fn slices_count_from_the_end() -> Result<(), Error> {
    let t = Tensor::<I32, Rank1>::arange(0.0, 5.0, 1.0)?;
    assert_eq!(t.slice(0, ..-1).to_vec(), [0, 1, 2, 3]);
    assert_eq!(t.slice(0, -2..).to_vec(), [3, 4]);
    assert_eq!(t.slice(0, -4..-1).to_vec(), [1, 2, 3]);
    assert_eq!(t.slice(0, 1..=-1).to_vec(), [1, 2, 3, 4]);
    assert_eq!(t.slice(0, ..=-2).to_vec(), [0, 1, 2, 3]);
    assert_eq!(t.slice_step(0, ..-1, -2).to_vec(), [3, 1]);
    assert_eq!(t.slice(0, -5..0).to_vec(), [0; 0]);
    assert_eq!(t.clone().into_dyn().try_slice(0, 1..-1)?.shape(), [3]);
    let message = |refused: Result<Tensor<I32, Rank1>, Error>| {
        let refused = refused.expect_err("outside the axis");
        refused.to_string()
    };
    assert_eq!(
        message(t.try_slice(0, -6..)),
        "slice: -6..5 is not within axis 0 of size 5"
    );
    assert_eq!(
        message(t.try_slice(0, 4..-2)),
        "slice: 4..-2 is not within axis 0 of size 5"
    );
    assert_eq!(
        message(t.try_slice(0, ..6)),
        "slice: 0..6 is not within axis 0 of size 5"
    );
    assert!(t.try_slice(0, ..=usize::MAX).is_err() && t.try_slice(0, i64::MIN..).is_err());
    Ok(())
}
