//! Sequences, numbers between points, densities, cross products and normal draws, beside quotients of integers and beside values that
//! `tests/data/accuracy/observe_rows.py` wrote.

use std::collections::BTreeMap;

use num_complex::Complex;
use supremum::Kind;
use supremum::prelude::*;
use supremum::rand::rand_core;

use super::{COLUMNS, DTYPES, Table, Units, binary::bits, complex_numbers_of, if_defined};

/// A result, the exact value as the nearest `f64` of each part and the rest, and the number whose unit measures the error.
type Row = (c128, [c128; 2], f64);

/// Computes the measured rows of a dtype.
type Rows = fn(DType, &mut fastrand::Rng) -> Result<Vec<Row>, Error>;

/// The functions, the page's name for the number in whose units their errors are measured, and their rows.
const OTHERS: &[(&str, &str, Rows)] = &[
    ("linspace", "the greater end", linspace),
    ("arange", "the greater end", arange),
    ("interp", "the greater value", interp),
    ("density", "the result", density),
    ("cross", "the products' magnitudes", cross),
    ("normal", "the result", normal),
];

/// The greatest integer up to which a dtype has all of them.
fn limit(dtype: DType) -> i64 {
    (2.0 / Units::of(dtype).epsilon) as i64
}

/// Random integers that a dtype has.
fn integers(dtype: DType, count: usize, rng: &mut fastrand::Rng) -> Vec<i64> {
    let limit = limit(dtype);
    (0..count).map(|_| rng.i64(-limit..=limit)).collect()
}

/// Different ones, in ascending order.
fn ascending(dtype: DType, count: usize, rng: &mut fastrand::Rng) -> Vec<i64> {
    let mut numbers = integers(dtype, count, rng);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// A vector of integers times a power of two.
fn vector(dtype: DType, numbers: &[i64], power: f64) -> Result<DynTensor, Error> {
    let numbers = numbers.iter().map(|number| *number as f64 * power);
    let x: Tensor<F64, Rank1> = numbers.collect();
    Ok(x.into_dyn().cast(dtype))
}

/// A quotient, as the nearest float and the remainder. The divisor times a number of 53 bits must fit the integer type.
fn quotient(dividend: i128, divisor: i128) -> [f64; 2] {
    let near = dividend as f64 / divisor as f64;
    if near == 0.0 {
        return [0.0; 2];
    }
    let bits = near.to_bits();
    let significand = i128::from((bits & ((1 << 52) - 1)) | (1 << 52)) * near.signum() as i128;
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1075;
    let rest = match exponent {
        0.. => dividend - ((significand * divisor) << exponent),
        _ => (dividend << -exponent) - significand * divisor,
    };
    [
        near,
        rest as f64 / divisor as f64 * 2_f64.powi(exponent.min(0)),
    ]
}

/// A real value among complex ones.
fn real(value: [f64; 2]) -> [c128; 2] {
    value.map(Into::into)
}

fn linspace(dtype: DType, rng: &mut fastrand::Rng) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for count in 2..40 {
        let ends = integers(dtype, 2, rng);
        let (start, end) = (ends[0], ends[1]);
        let found = DynTensor::try_linspace(dtype, start as f64, end as f64, count)?;
        let size = start.abs().max(end.abs()) as f64;
        let (start, length, last) = (
            i128::from(start),
            i128::from(end - start),
            count as i128 - 1,
        );
        rows.extend(
            complex_numbers_of(&found)?
                .into_iter()
                .zip(0..)
                .map(|(found, at)| {
                    (
                        found,
                        real(quotient(start * last + length * at, last)),
                        size,
                    )
                }),
        );
    }
    Ok(rows)
}

fn arange(dtype: DType, rng: &mut fastrand::Rng) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for _ in 0..40 {
        let start = integers(dtype, 1, rng)[0];
        let step =
            rng.i64(1..=(limit(dtype) / 16).max(1)) * rng.choice([-1, 1]).expect("one of two");
        let count = if matches!(dtype, DType::F64 | DType::C128) {
            100
        } else {
            10
        };
        let end = start + step * count;
        let found = DynTensor::arange(dtype, start as f64, end as f64, step as f64)?;
        let size = start.abs().max(end.abs()) as f64;
        rows.extend(
            complex_numbers_of(&found)?
                .into_iter()
                .zip(0..)
                .map(|(found, at)| (found, real(quotient((start + at * step).into(), 1)), size)),
        );
    }
    Ok(rows)
}

fn interp(dtype: DType, rng: &mut fastrand::Rng) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for _ in 0..10 {
        let points = ascending(dtype, 8, rng);
        let values = integers(dtype, points.len(), rng);
        let between = points[0]..=points[points.len() - 1];
        let x: Vec<i64> = (0..20).map(|_| rng.i64(between.clone())).collect();
        let of = |numbers: &[i64]| vector(dtype, numbers, 1.0);
        let found = of(&x)?.try_interp(&of(&points)?, &of(&values)?)?;
        for (x, found) in x.into_iter().zip(complex_numbers_of(&found)?) {
            let right = points
                .partition_point(|point| *point <= x)
                .min(points.len() - 1);
            let left = right.saturating_sub(1);
            let wide = i128::from;
            let width = wide(points[right] - points[left]).max(1);
            let rise = wide(values[right] - values[left]) * wide(x - points[left]);
            let size = values[left].abs().max(values[right].abs()) as f64;
            let exact = quotient(wide(values[left]) * width + rise, width);
            rows.push((found, real(exact), size));
        }
    }
    Ok(rows)
}

fn density(dtype: DType, rng: &mut fastrand::Rng) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for _ in 0..20 {
        let edges = ascending(dtype, 8, rng);
        let greatest = limit(dtype).min(1000);
        let counts: Vec<i64> = (1..edges.len()).map(|_| rng.i64(1..=greatest)).collect();
        let total: i64 = counts.iter().sum();
        let found = vector(dtype, &counts, 1.0)?.try_density(&vector(dtype, &edges, 1.0)?)?;
        let bins = counts.iter().zip(edges.windows(2));
        rows.extend(
            bins.zip(complex_numbers_of(&found)?)
                .map(|((count, edges), found)| {
                    let width = i128::from(edges[1] - edges[0]) * i128::from(total);
                    (found, real(quotient((*count).into(), width)), 0.0)
                }),
        );
    }
    Ok(rows)
}

/// Vectors of three integers, which are complex if the dtype is.
fn vectors(dtype: DType, rng: &mut fastrand::Rng) -> Vec<Complex<i64>> {
    let numbers = integers(dtype, 300, rng);
    match dtype.kind() {
        Kind::Complex => {
            let imaginary = integers(dtype, 300, rng);
            let parts = numbers.into_iter().zip(imaginary);
            parts.map(|(re, im)| Complex::new(re, im)).collect()
        }
        _ => numbers.into_iter().map(Complex::from).collect(),
    }
}

fn cross(dtype: DType, rng: &mut fastrand::Rng) -> Result<Vec<Row>, Error> {
    let (a, b) = (vectors(dtype, rng), vectors(dtype, rng));
    // Products of greater numbers overflow.
    let power = 1.0 / limit(dtype) as f64;
    let of = |vectors: &[Complex<i64>]| {
        let numbers = vectors
            .iter()
            .map(|z| c128::new(z.re as f64, z.im as f64) * power);
        DynTensor::from_vec(numbers.collect::<Vec<_>>(), [100, 3]).map(|x| x.cast(dtype))
    };
    let found = complex_numbers_of(&of(&a)?.try_cross(&of(&b)?, -1)?)?;
    let products = |i: usize, j: usize, first: usize| {
        let wide = |z: Complex<i64>| Complex::new(i128::from(z.re), i128::from(z.im));
        wide(a[first + i % 3]) * wide(b[first + j % 3])
    };
    let size = |z: Complex<i128>| c128::new(z.re as f64, z.im as f64).norm() * power * power;
    let rows = found.into_iter().enumerate().map(|(at, found)| {
        let (first, component) = (at / 3 * 3, at % 3);
        let plus = products(component + 1, component + 2, first);
        let minus = products(component + 2, component + 1, first);
        let [re, im] = [plus.re - minus.re, plus.im - minus.im].map(|part| quotient(part, 1));
        let exact = [0, 1].map(|which| c128::new(re[which], im[which]) * power * power);
        (found, exact, size(plus) + size(minus))
    });
    Ok(rows.collect())
}

/// A generator of given draws.
struct Given(std::vec::IntoIter<u64>);

impl rand_core::TryRng for Given {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("draws have 64 bits")
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.next().expect("a draw"))
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        unreachable!("draws have 64 bits")
    }
}

fn normal(dtype: DType, _: &mut fastrand::Rng) -> Result<Vec<Row>, Error> {
    let rows = include_str!("../data/accuracy/normal_f64.csv").lines();
    let rows: Vec<Vec<f64>> = rows.map(|row| row.split(',').map(bits).collect()).collect();
    let draws: Vec<u64> = rows.iter().map(|row| row[0].to_bits()).collect();
    let found =
        DynTensor::try_normal(dtype, [rows.len()], 0.0, 1.0, &mut Given(draws.into_iter()))?;
    let rows = rows.iter().zip(complex_numbers_of(&found)?);
    Ok(rows
        .map(|(row, found)| (found, real([row[1], row[2]]), 0.0))
        .collect())
}

/// The largest error of a function, in units of the dtype of its results.
fn worst(name: &str, rows: Rows, dtype: DType) -> Result<f64, Error> {
    let units = Units::of(dtype);
    let rows = rows(dtype, &mut fastrand::Rng::with_seed(19))?;
    assert!(rows.len() >= 50, "{name} of {dtype}");
    let errors = rows.into_iter().map(|(found, [exact, rest], size)| {
        let error = match dtype.kind() {
            Kind::Complex => units.complex_error_in(found, exact, rest, size),
            _ => units.error_in(found.re, exact.re, rest.re, size),
        };
        assert!(error.is_finite(), "{name} of {dtype}: {found}, not {exact}");
        error
    });
    Ok(errors.fold(0.0, f64::max))
}

#[test]
fn errors_of_other_functions_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let page = Table::of("Other functions");
    let mut errors = BTreeMap::<&str, Vec<f64>>::new();
    for (name, of, rows) in OTHERS {
        page.says_unit(name, of);
        let errors = errors.entry(name).or_default();
        for dtypes in COLUMNS {
            let found = DTYPES[dtypes]
                .iter()
                .map(|dtype| worst(name, *rows, *dtype));
            let found = found.collect::<Result<Vec<f64>, Error>>()?;
            errors.push(found.into_iter().fold(0.0, f64::max));
        }
        for dtype in [DType::C64, DType::C128] {
            errors.extend(if_defined(worst(name, *rows, dtype))?);
        }
    }
    page.check(&errors);
    Ok(())
}

/// The quotients themselves: known ones.
#[test]
fn quotients_have_their_rests() {
    assert_eq!(quotient(-3, 4), [-0.75, 0.0]);
    assert_eq!(quotient((1 << 60) + 1, 1), [2_f64.powi(60), 1.0]);
    let [third, rest] = quotient(1, 3);
    assert_eq!((third, rest), (1.0 / 3.0, 2_f64.powi(-54) / 3.0));
}
