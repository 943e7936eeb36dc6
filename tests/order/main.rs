//! Sorts and other operations that depend on the order of elements, scatters and counts, compared with naive models. They run typed,
//! dynamic and traced, in every dtype, with random shapes and layouts, with no elements and with rank 0. The result dtypes of each
//! system and the text of every error are checked too.

#[path = "../exact/mod.rs"]
mod exact;
#[path = "../naive/mod.rs"]
mod naive;
#[path = "../panics/mod.rs"]
mod panics;

mod counts;
mod diagonals;
mod differences;
mod histograms;
mod nan_quantiles;
mod one_hot;
mod presorted;
mod quantile_lists;
mod quantiles;
mod scatters;
mod sorts;
mod statistics;
mod systems;
mod traces;

use std::cmp::Ordering;

use naive::{Arith, Plain};
use panics::refused;
use supremum::prelude::*;

/// Compares two elements as NumPy sorts them.
fn order<E: Arith>(a: E, b: E) -> Ordering {
    sort_key(a).cmp(&sort_key(b))
}

/// A number in place of an element, in the same order: NaN are greatest, and all zeros are equal. It is less than 2^65 in magnitude.
fn sort_key<E: Arith>(x: E) -> i128 {
    match E::KIND {
        exact::Kind::Bool => i128::from(x.raw() == 1),
        exact::Kind::Unsigned(_) => i128::try_from(x.raw()).expect("at most 64 bits"),
        exact::Kind::Signed(bits) => {
            let unused = u128::BITS - bits;
            (x.raw() << unused).cast_signed() >> unused
        }
        exact::Kind::Float(_) if is_nan(x) => 1 << 64,
        exact::Kind::Float(_) => {
            let x: f64 = naive::convert(x);
            let magnitude = i128::from(x.abs().to_bits());
            if x < 0.0 { -magnitude } else { magnitude }
        }
        exact::Kind::Complex(_) => panic!("complex numbers have no order"),
    }
}

fn is_nan<E: Arith>(x: E) -> bool {
    match E::KIND {
        exact::Kind::Float(format) => {
            format.is_nan(u64::try_from(x.raw()).expect("a float's bits"))
        }
        _ => false,
    }
}

fn sort_keys<E: Arith>(row: &[E]) -> Vec<i128> {
    row.iter().map(|element| sort_key(*element)).collect()
}

/// A key for each element of a row with these keys. They ascend as the row is to be sorted, and none are equal: the low 32 bits are the
/// position, which keeps equal elements in order.
fn distinct_keys(sort_keys: &[i128], descending: bool) -> Vec<i128> {
    let mut keys = Vec::with_capacity(sort_keys.len());
    for (at, key) in sort_keys.iter().enumerate() {
        let key = if descending { -key } else { *key };
        keys.push((key << 32) | i128::from(u32::try_from(at).expect("a short row")));
    }
    keys
}

/// The positions of a row in sorted order; equal elements keep their order. (It sorts numbers: without optimisation, a sort that calls a
/// closure for each comparison takes much longer.)
fn sorted_positions<E: Arith>(row: &[E], descending: bool) -> Vec<usize> {
    let mut keys = distinct_keys(&sort_keys(row), descending);
    keys.sort();
    let mut positions = Vec::with_capacity(row.len());
    for key in keys {
        positions.push(usize::try_from(key & 0xffff_ffff).expect("a position"));
    }
    positions
}

fn tensor_of<D: StaticDType>(plain: &Plain<D::Element>) -> Tensor<D>
where
    D::Element: Copy,
{
    let shape = plain.shape.as_slice();
    Tensor::from_slice(&plain.elements, shape).expect("a shape that fits")
}

/// A tensor with these elements, in a random layout: contiguous, permuted or reversed.
fn laid_out<D: StaticDType>(rng: &mut fastrand::Rng, plain: &Plain<D::Element>) -> Tensor<D> {
    let rank = plain.shape.len();
    let tensor = tensor_of::<D>(plain);
    match rng.u8(..3) {
        1 if rank > 1 => {
            let mut order: Vec<usize> = (0..rank).collect();
            rng.shuffle(&mut order);
            let mut back = vec![0; rank];
            for (to, from) in order.iter().enumerate() {
                back[*from] = to;
            }
            tensor.permute(&order).contiguous().permute(&back)
        }
        2 if rank > 0 => {
            let axis = rng.usize(..rank).cast_signed();
            tensor.flip(axis).contiguous().flip(axis)
        }
        _ => tensor,
    }
}

fn random_shape(rng: &mut fastrand::Rng, max_rank: usize) -> Vec<usize> {
    let rank = rng.usize(..=max_rank);
    let size = |_| match rng.u8(..12) {
        0 => 0,
        1..=2 => 1,
        number => usize::from(number % 5 + 2),
    };
    (0..rank).map(size).collect()
}

/// The axis, counted from either end.
fn signed(rng: &mut fastrand::Rng, axis: usize, rank: usize) -> isize {
    match rng.bool() {
        true => axis.cast_signed(),
        false => axis.cast_signed() - rank.cast_signed(),
    }
}

/// Applies a function to each row along an axis.
fn along<E: Copy, F: Copy + Default>(
    plain: &Plain<E>,
    axis: usize,
    f: impl Fn(&[E]) -> Vec<F>,
) -> Plain<F> {
    let mut starts = plain.shape.clone();
    starts[axis] = 1;
    let mut shape = plain.shape.clone();
    let mut rows = vec![];
    for start in naive::indices(&starts) {
        let row: Vec<E> = (0..plain.shape[axis])
            .map(|at| {
                let mut index = start.clone();
                index[axis] = at;
                plain.at(&index)
            })
            .collect();
        rows.push((start, f(&row)));
    }
    shape[axis] = rows.first().map_or(0, |(_, row)| row.len());
    let strides: Vec<usize> = (0..shape.len())
        .map(|axis| shape[axis + 1..].iter().product())
        .collect();
    let mut elements = vec![F::default(); shape.iter().product()];
    for (start, row) in rows {
        let first: usize = start
            .iter()
            .zip(&strides)
            .map(|(at, stride)| at * stride)
            .sum();
        for (at, element) in row.into_iter().enumerate() {
            elements[first + at * strides[axis]] = element;
        }
    }
    Plain::new(&shape, elements)
}
