//! Views and broadcasting, judged by naive index maps: chains of views over random shapes, also without elements, at ranks 0 to 6.

use proptest::prelude::*;
use proptest::test_runner::Config;
use supremum::{Error, concat, stack};

use crate::Any;
use crate::naive::{Plain, broadcast, indices};

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
    MoveAxis(u32, u32),
    MatrixTranspose,
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
        (n(), n()).prop_map(|(a, b)| View::MoveAxis(a, b)),
        Just(View::MatrixTranspose),
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
            // Every other axis counts from the end.
            let signed: Vec<isize> = (0..rank)
                .map(|at| {
                    order[at].cast_signed() - if at % 2 == 0 { rank.cast_signed() } else { 0 }
                })
                .collect();
            assert_eq!(t.permute(&signed), t.permute(&order));
            (t.permute(&signed), p.mapped(&to, from))
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
        View::MoveAxis(a, b) if rank > 0 => {
            let (from, to) = (modulo(a, rank), modulo(b, rank));
            let moved = |values: &[usize], from: usize, to: usize| {
                let mut moved = values.to_vec();
                let value = moved.remove(from);
                moved.insert(to, value);
                moved
            };
            let view = t.move_axis(signed(from, rank, a / 7), signed(to, rank, b / 7));
            let plain = p.mapped(&moved(&shape, from, to), |index| moved(index, to, from));
            (view, plain)
        }
        View::MatrixTranspose if rank > 1 => {
            let swap = |values: &[usize]| {
                let mut swapped = values.to_vec();
                swapped.swap(rank - 1, rank - 2);
                swapped
            };
            (t.matrix_transpose(), p.mapped(&swap(&shape), swap))
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
            let joined = concat(&[&a, &b], signed(axis, rank, n / 3));
            assert_shows(&joined, &Plain::new(&to, elements), "concat");
            prop_assert_eq!(a.concat(&b, signed(axis, rank, n)).to_vec(), joined.to_vec());
        }
        if rank < 7 {
            let axis = modulo(n, rank + 1);
            let backwards = &a * -1;
            let stacked = stack(&[&a, &backwards, &a], signed(axis, rank + 1, n / 3));
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
