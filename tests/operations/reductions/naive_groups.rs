//! The elements that each result reduces, and operands in every layout.

use supremum::{Rank, StaticDType, Tensor, c128};

use crate::exact::{Kind, Tested};
use crate::naive::{Plain, Typed, convert, edges, indices, sample};

/// The elements that are reduced into each element of the result, in row-major order.
pub(super) fn groups<E: Copy>(plain: &Plain<E>, axes: &[usize]) -> Vec<Vec<E>> {
    let mut groups = vec![];
    for positions in positions_of_groups(&plain.shape, axes) {
        let mut group = Vec::with_capacity(positions.len());
        for position in positions {
            group.push(plain.elements[position]);
        }
        groups.push(group);
    }
    groups
}

/// The positions of the elements that are reduced into each element of the result. It knows no type of elements, so it is compiled
/// once.
fn positions_of_groups(shape: &[usize], axes: &[usize]) -> Vec<Vec<usize>> {
    let kept: Vec<usize> = (0..shape.len())
        .filter(|axis| !axes.contains(axis))
        .collect();
    let sizes = |axes: &[usize]| -> Vec<usize> { axes.iter().map(|axis| shape[*axis]).collect() };
    indices(&sizes(&kept))
        .iter()
        .map(|outer| {
            indices(&sizes(axes))
                .iter()
                .map(|inner| {
                    let mut index = vec![0; shape.len()];
                    for (axis, at) in kept.iter().zip(outer).chain(axes.iter().zip(inner)) {
                        index[*axis] = *at;
                    }
                    let axes = index.iter().zip(shape);
                    axes.fold(0, |position, (at, size)| position * size + at)
                })
                .collect()
        })
        .collect()
}

/// Every set of axes of a rank.
pub(super) fn sets_of_axes(rank: usize) -> Vec<Vec<usize>> {
    (0..1_usize << rank)
        .map(|set| (0..rank).filter(|axis| set >> axis & 1 == 1).collect())
        .collect()
}

/// The same tensor from storage of different orders, with what it shows. Random elements and
/// adversarial ones.
pub(super) fn operands<D: Typed>() -> Vec<(String, Tensor<D>, Plain<D::Element>)> {
    let all_edges = edges::<D::Element>();
    let mut operands = vec![];
    for (shape, what) in [
        (vec![2, 3, 4], "small"),
        (vec![2, 530], "long rows"),
        (vec![1100], "a vector"),
        (vec![0], "nothing"),
        (vec![2, 0, 3], "no columns"),
        (vec![], "a scalar"),
        (vec![1, 1], "one"),
    ] {
        let count = shape.iter().product();
        let plain = Plain::new(&shape, sample::<D::Element>(count, 3));
        let tensor = || {
            Tensor::<D>::from_slice(&plain.elements, shape.as_slice()).expect("a shape that fits")
        };
        operands.push((format!("{what} {shape:?}"), tensor(), plain.clone()));
        let backwards = |values: &[usize]| -> Vec<usize> { values.iter().rev().copied().collect() };
        operands.push((
            format!("{what} {shape:?} transposed"),
            tensor().transpose(),
            plain.mapped(&backwards(&shape), backwards),
        ));
        // Groups are slow to make in a debug build: few views of long ones.
        if !shape.is_empty() && shape != [2, 530] {
            let flipped = plain.mapped(&shape, |index| {
                let mut source = index.to_vec();
                source[0] = shape[0] - 1 - index[0];
                source
            });
            operands.push((
                format!("{what} {shape:?} flipped"),
                tensor().flip(0),
                flipped,
            ));
            if count > 100 {
                continue;
            }
            let mut to = shape.clone();
            to.insert(0, 3);
            let repeated = plain.mapped(&to, |index| index[1..].to_vec());
            operands.push((
                format!("{what} {shape:?} broadcast"),
                tensor().broadcast_to(to.as_slice()),
                repeated,
            ));
        }
    }
    let plain = Plain::new(&[all_edges.len()], all_edges.clone());
    operands.push((
        "edges".into(),
        Tensor::from_slice(&all_edges, [all_edges.len()]).expect("a vector"),
        plain,
    ));
    operands
}

/// Elements and shape.
pub(super) fn read<D: StaticDType, N: Rank>(t: Tensor<D, N>) -> (Vec<D::Element>, Vec<usize>) {
    (t.to_vec(), t.shape().to_vec())
}

/// Integers are exact, floats within a bound that grows with their magnitudes.
pub(super) fn is_close<E: Tested>(found: E, expected: c128, magnitude: f64, count: usize) -> bool {
    let unit = match E::KIND {
        Kind::Float(format) | Kind::Complex(format) => 1.0 / format.hidden_bit() as f64,
        _ => 0.0,
    };
    // Small floats accumulate in f32, others in f64.
    let accumulator = if unit > 1e-6 { 2e-7 } else { 4e-16 };
    let least: c128 = convert(E::from_raw(1));
    let found: c128 = convert(found);
    let slack = unit * expected.norm() + accumulator * magnitude * (count as f64).log2().max(1.0);
    // Without infinities NaN stands for sums out of range.
    let overflows = match E::KIND {
        Kind::Float(format) if !format.infinities() => {
            let largest: c128 = convert(E::from_raw(format.max().into()));
            expected.norm() + slack > largest.re
        }
        _ => false,
    };
    (found - expected).norm() <= slack + least.re
        || (found.is_nan() && (expected.is_nan() || overflows))
}

/// The sum or product modulo 2^64.
pub(super) fn wrapped(group: &[i128], start: i128, f: impl Fn(i128, i128) -> i128) -> i128 {
    group
        .iter()
        .fold(start, |sum, x| f(sum, *x) & i128::from(u64::MAX))
}

pub(super) fn low_bits<E: Tested>(x: E) -> i128 {
    match E::KIND {
        Kind::Signed(_) => i128::from(convert::<E, i64>(x)) & i128::from(u64::MAX),
        _ => i128::from(convert::<E, u64>(x)),
    }
}
