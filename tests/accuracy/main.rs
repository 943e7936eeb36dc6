//! The errors of functions: measured, and compared with `docs/accuracy.md`.
//!
//! Floats of 8 and 16 bits are tried exhaustively, `f32` by a sample of all sizes (every argument of the functions that are our own is
//! tried by `all_arguments` of the library's tests); the reference is the same function of `f64`. That is compared with values to 106
//! bits, which `tests/data/accuracy/observe.py` wrote; `hard.rs` has arguments at which errors are largest.
//!
//! `SUPREMUM_ACCURACY=1 cargo test --test accuracy -- --nocapture` prints the table with what it measures.
#![allow(clippy::as_conversions, reason = "bits and positions")]

mod binary;
mod complex;
mod complex_pow;
mod complex_special;
mod complex_two;
mod exact;
mod hard;
mod integers;
mod others;
mod rows;
#[path = "../sources/mod.rs"]
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use supremum::prelude::*;
use supremum::{Kind, Operation};

type Function = fn(&DynTensor) -> Result<DynTensor, Error>;

/// The functions whose results are rounded numbers: those of the groups whose results are inexact.
fn functions() -> impl Iterator<Item = &'static supremum::__private::Function> {
    let inexact = [
        Operation::UnaryFloat,
        Operation::Activation,
        Operation::Reciprocal,
    ];
    let all = supremum::__private::FUNCTIONS.iter();
    all.filter(move |function| inexact.contains(&function.group))
}

/// The dtypes of the tables' columns.
const DTYPES: &[DType] = &[
    DType::F8E4M3FN,
    DType::F8E5M2,
    DType::F8E4M3FNUZ,
    DType::F8E5M2FNUZ,
    DType::F8E4M3B11FNUZ,
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
];

/// The columns, of which the first has all 8-bit floats.
const COLUMNS: [Range<usize>; 5] = [0..5, 5..6, 6..7, 7..8, 8..9];

/// The units of an error: the digits of a dtype, and its least normal and greatest number.
#[derive(Clone, Copy)]
struct Units {
    epsilon: f64,
    least_normal: f64,
    greatest: f64,
}

impl Units {
    fn of(dtype: DType) -> Self {
        let [epsilon, least_normal, greatest] = match dtype {
            DType::F16 => [2_f64.powi(-10), 2_f64.powi(-14), 65504.0],
            DType::BF16 => [
                2_f64.powi(-7),
                2_f64.powi(-126),
                2_f64.powi(128) - 2_f64.powi(120),
            ],
            // Complex numbers have the units of their parts, at their magnitudes.
            DType::F32 | DType::C64 => [
                f32::EPSILON.into(),
                f32::MIN_POSITIVE.into(),
                f32::MAX.into(),
            ],
            DType::F64 | DType::C128 => [f64::EPSILON, f64::MIN_POSITIVE, f64::MAX],
            DType::F8E4M3FN => [0.125, 2_f64.powi(-6), 448.0],
            DType::F8E5M2 => [0.25, 2_f64.powi(-14), 57344.0],
            DType::F8E4M3FNUZ => [0.125, 2_f64.powi(-7), 240.0],
            DType::F8E5M2FNUZ => [0.25, 2_f64.powi(-15), 57344.0],
            DType::F8E4M3B11FNUZ => [0.125, 2_f64.powi(-10), 30.0],
            other => panic!("{other} has no units"),
        };
        Self {
            epsilon,
            least_normal,
            greatest,
        }
    }

    /// A unit in the last place of a number; below the least normal number that of the subnormal ones.
    fn unit(self, number: f64) -> f64 {
        let magnitude = number.abs().clamp(self.least_normal, self.greatest);
        f64::from_bits(magnitude.to_bits() & (0x7ff << 52)) * self.epsilon
    }

    /// The error of a result in these units; `rest` is what the exact value has beside `exact`. An overflow counts as the number after
    /// the greatest, and is infinitely wrong for numbers that round to others.
    fn error(self, found: f64, exact: f64, rest: f64) -> f64 {
        self.error_in(found, exact, rest, 0.0)
    }

    /// [`Self::error`] in units of `size`, if that is greater than the exact value.
    fn error_in(self, found: f64, exact: f64, rest: f64, size: f64) -> f64 {
        let beyond = self.greatest + self.unit(self.greatest);
        if exact.is_nan() || exact.abs() >= beyond {
            let right = if exact.is_nan() {
                found.is_nan()
            } else {
                !found.is_finite()
            };
            return if right { 0.0 } else { f64::INFINITY };
        }
        let found = if found.is_finite() {
            found
        } else {
            beyond.copysign(exact)
        };
        ((found - exact) - rest).abs() / self.unit(exact.abs().max(size))
    }

    /// [`Self::error_in`] of a complex number: the distance, in units of the magnitude.
    fn complex_error_in(self, found: c128, exact: c128, rest: c128, size: f64) -> f64 {
        let error = ((found - exact) - rest).norm() / self.unit(exact.norm().max(size));
        if error.is_nan() { f64::INFINITY } else { error }
    }
}

/// The dtype of the reference: `c128` for complex numbers, and `f64` for others.
fn widest(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Complex => DType::C128,
        _ => DType::F64,
    }
}

/// `None` for an operation that is not defined on its dtypes.
fn if_defined<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Err(Error::UndefinedOperation { .. } | Error::UnsupportedDType { .. }) => Ok(None),
        result => result.map(Some),
    }
}

/// Every value of a small float; of `f32` both sides of every power of two, and a stride through all of them.
fn arguments(dtype: DType) -> Result<DynTensor, Error> {
    fn all<D: StaticDType>(elements: impl Iterator<Item = D::Element>) -> Result<DynTensor, Error> {
        let elements: Vec<_> = elements.collect();
        let len = elements.len();
        Ok(Tensor::<D, Rank1>::from_vec(elements, [len])?.into_dyn())
    }
    match dtype.size() {
        1 => DynTensor::from_bytes(dtype, [256], &(0..=255).collect::<Vec<u8>>()),
        2 => {
            let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
            DynTensor::from_bytes(dtype, [1 << 16], &bytes)
        }
        _ => {
            let stride = (0..=u32::MAX).step_by(19_937);
            let powers = (0..=u32::MAX).step_by(1 << 23);
            let powers =
                powers.flat_map(|bits| [-1, 0, 1].map(|step| bits.wrapping_add_signed(step)));
            all::<F32>(stride.chain(powers).map(f32::from_bits))
        }
    }
}

fn numbers(x: &DynTensor) -> Result<Vec<f64>, Error> {
    let x: Tensor<F64, Rank1> = x.cast(DType::F64).try_into()?;
    Ok(x.to_vec())
}

/// The largest error beside the same function of `f64`, and its argument.
fn beside_f64(function: Function, dtype: DType, units: Units) -> Result<(f64, f64), Error> {
    let x = arguments(dtype)?;
    let found = numbers(&function(&x)?)?;
    let exact = numbers(&function(&x.cast(DType::F64))?)?;
    let mut worst = (0.0, 0.0);
    for ((x, found), exact) in numbers(&x)?.into_iter().zip(found).zip(exact) {
        let error = units.error(found, exact, 0.0);
        if error > worst.0 || error.is_nan() {
            worst = (error, x);
        }
    }
    Ok(worst)
}

/// The largest error of `f64` beside the values of `tests/data/accuracy`.
fn beside_published(name: &str, function: Function) -> Result<(f64, f64), Error> {
    let published = include_str!("../data/accuracy/f64.csv").lines().skip(1);
    let rows = published.filter_map(|row| row.strip_prefix(name)?.strip_prefix(','));
    let rows: Vec<[f64; 3]> = rows
        .map(|row| {
            let mut numbers = row
                .split(',')
                .map(|bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("bits")));
            core::array::from_fn(|_| numbers.next().expect("three numbers"))
        })
        .collect();
    assert_eq!(
        rows.len(),
        160,
        "values of {name}, by observe.py in tests/data/accuracy"
    );
    let x = Tensor::<F64, Rank1>::from_vec(rows.iter().map(|row| row[0]).collect(), [rows.len()])?;
    let found = numbers(&function(&x.into_dyn())?)?;
    let errors = rows
        .iter()
        .zip(found)
        .map(|([x, exact, rest], found)| (Units::of(DType::F64).error(found, *exact, *rest), *x));
    Ok(errors
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .expect("rows"))
}

/// All elements, of any shape.
fn numbers_of(x: &DynTensor) -> Result<Vec<f64>, Error> {
    numbers(&x.flatten())
}

/// The same of complex numbers; real ones have no imaginary part.
fn complex_numbers_of(x: &DynTensor) -> Result<Vec<c128>, Error> {
    let x: Tensor<C128, Rank1> = x.flatten().cast(DType::C128).try_into()?;
    Ok(x.to_vec())
}

/// A table of the page.
struct Table {
    heading: &'static str,
    /// The bounds of each name; names of a row have the same.
    bounds: BTreeMap<&'static str, Vec<f64>>,
    rows: Vec<&'static str>,
}

impl Table {
    /// The table below a heading: in its first column it has names, in some of the others bounds.
    fn of(heading: &'static str) -> Self {
        let page = include_str!("../../docs/accuracy.md");
        let mut sections = page.split("\n## ");
        let section = sections.find(|section| section.starts_with(heading));
        let lines = section.expect("a heading of the page").lines();
        let rows: Vec<_> = lines.filter(|line| line.starts_with("| `")).collect();
        let mut bounds = BTreeMap::new();
        for row in &rows {
            let cells = row.split('|').map(str::trim);
            let numbers: Vec<f64> = cells.clone().filter_map(|cell| cell.parse().ok()).collect();
            let names = cells.clone().nth(1).expect("a first column").split(", ");
            for name in names {
                bounds.insert(name.trim_matches('`'), numbers.clone());
            }
        }
        Self {
            heading,
            bounds,
            rows,
        }
    }

    /// Checks that the row of a name says in whose units the errors are.
    fn says_unit(&self, name: &str, of: &str) {
        let name = format!("`{name}`");
        let mut rows = self.rows.iter();
        let says = rows.any(|row| row.contains(&name) && row.contains(&format!("| {of} |")));
        assert!(says, "the row of {name}: in units of {of}");
    }

    /// Checks that errors are within the bounds, and that the table has no other names. A cell without a number has no error.
    fn check(&self, errors: &BTreeMap<&str, impl AsRef<[f64]>>) {
        let mut faults = Vec::new();
        for (name, errors) in errors {
            let errors = errors.as_ref();
            let bounds = self.bounds.get(name).cloned().unwrap_or_default();
            let shown = errors
                .iter()
                .map(|error| format!(" {:.2} |", (error * 100.0).ceil() / 100.0));
            let shown = format!("| `{name}` |{}", shown.collect::<String>());
            if std::env::var_os("SUPREMUM_ACCURACY").is_some() {
                println!("{shown}");
            }
            if bounds.len() != errors.len() {
                faults.push(format!("the page lacks the row {shown}"));
            } else if !errors
                .iter()
                .zip(&bounds)
                .all(|(error, bound)| error <= bound)
            {
                faults.push(format!(
                    "{name} has the errors {errors:?}; the page says {bounds:?}"
                ));
            }
        }
        assert!(faults.is_empty(), "{}: {faults:#?}", self.heading);
        let [names, measured]: [BTreeSet<_>; 2] =
            [self.bounds.keys().collect(), errors.keys().collect()];
        assert_eq!(names, measured, "names below {}", self.heading);
    }
}

#[test]
fn errors_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let mut errors = BTreeMap::<&str, [f64; 5]>::new();
    for function in functions() {
        let (name, function) = (function.name, function.call);
        let errors = errors.entry(name).or_default();
        for (worst, dtypes) in errors.iter_mut().zip(COLUMNS) {
            for dtype in &DTYPES[dtypes] {
                let (error, x) = match dtype {
                    DType::F64 => beside_published(name, function)?,
                    _ => beside_f64(function, *dtype, Units::of(*dtype))?,
                };
                assert!(error.is_finite(), "{name} of {dtype} at {x:e}: {error}");
                *worst = worst.max(error);
            }
        }
    }
    Table::of("Functions of one operand").check(&errors);
    Ok(())
}

/// The measure itself: known results with known errors.
#[test]
fn units_measure() {
    let f32 = Units::of(DType::F32);
    assert_eq!(f32.error(1.0 + f64::from(f32::EPSILON), 1.0, 0.0), 1.0);
    assert_eq!(f32.error(1.0, 1.0, f64::from(f32::EPSILON) / 4.0), 0.25);
    assert_eq!(f32.error(f64::INFINITY, f64::from(f32::MAX), 0.0), 1.0);
    assert_eq!(f32.error(f64::INFINITY, 1e300, 0.0), 0.0);
    assert!(f32.error(f64::NAN, 1.0, 0.0) > 1e30);
    assert_eq!(f32.error(1.0, f64::NAN, 0.0), f64::INFINITY);
    // The greatest numbers are those of the elements.
    for dtype in DTYPES {
        let units = Units::of(*dtype);
        let saturated = DynTensor::full(DType::F64, [1], f64::MAX)
            .and_then(|x| numbers(&x.cast_saturating(*dtype)));
        assert_eq!(saturated, Ok(vec![units.greatest]), "{dtype}");
    }
}
