//! The errors of functions: measured, and compared with `docs/accuracy.md`.
//!
//! Floats of 8 and 16 bits are tried exhaustively, `f32` by a sample of all sizes (every argument of the functions that are our own is
//! tried by `all_arguments` of the library's tests); the reference is the same function of `f64`. That is compared with values to 106
//! bits, which `tests/data/accuracy/observe.py` wrote; `hard.rs` has arguments at which errors are largest.
//!
//! `SUPREMUM_ACCURACY=1 cargo test --test accuracy -- --nocapture` prints the table with what it measures.
#![allow(clippy::as_conversions, reason = "bits and positions")]

mod complex;
mod complex_pow;
mod complex_special;
mod hard;
mod published;

use std::collections::BTreeMap;

use supremum::prelude::*;
use supremum::{Operation, QuantileMethod};

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

/// An operation along rows: its name, itself, and the magnitude by which its errors are measured, of the magnitudes of elements.
type AlongRows = (&'static str, Function, Function);

/// The greatest number of each row.
const GREATEST: Function = |x| x.try_max_keepdims(-1);
/// The sums of the products of magnitudes: no product of matrices is more accurate where terms cancel.
const PRODUCTS: Function = |x| x.try_matmul(&x.try_swap_axes(0, 1)?);

/// The operations along rows, in the order of the second table. Their columns are those of floats from 16 to 64 bits; `published.rs` has the last.
const ALONG_ROWS: &[AlongRows] = &[
    ("softmax", |x| x.try_softmax(-1), GREATEST),
    ("log_softmax", |x| x.try_log_softmax(-1), GREATEST),
    ("log_sum_exp", |x| x.try_log_sum_exp(-1), GREATEST),
    ("norm", |x| x.try_norm(2.0, -1), GREATEST),
    ("mean", |x| x.try_mean_axis(-1), GREATEST),
    ("var", |x| x.try_var_axis(-1), GREATEST),
    ("std", |x| x.try_std_axis(-1), GREATEST),
    ("var_corrected", |x| x.try_var_corrected(1, -1), GREATEST),
    ("std_corrected", |x| x.try_std_corrected(1, -1), GREATEST),
    (
        "quantile",
        |x| x.try_quantile_axis(0.3, QuantileMethod::Linear, -1),
        GREATEST,
    ),
    ("matmul", PRODUCTS, PRODUCTS),
    ("matmul_in", in_wide, PRODUCTS),
];

/// Sums in `f32`, and in `f64` for the reference.
fn in_wide(x: &DynTensor) -> Result<DynTensor, Error> {
    let dtype = if x.dtype() == DType::F64 {
        DType::F64
    } else {
        DType::F32
    };
    x.try_matmul_in(&x.try_swap_axes(0, 1)?, dtype)
}

/// The columns of the table.
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
            DType::F32 => [
                f32::EPSILON.into(),
                f32::MIN_POSITIVE.into(),
                f32::MAX.into(),
            ],
            DType::F64 => [f64::EPSILON, f64::MIN_POSITIVE, f64::MAX],
            DType::F8E4M3FN => [0.125, 2_f64.powi(-6), 448.0],
            DType::F8E5M2 => [0.25, 2_f64.powi(-14), 57344.0],
            DType::F8E4M3FNUZ => [0.125, 2_f64.powi(-7), 240.0],
            DType::F8E5M2FNUZ => [0.25, 2_f64.powi(-15), 57344.0],
            DType::F8E4M3B11FNUZ => [0.125, 2_f64.powi(-10), 30.0],
            other => panic!("{other} is not a float"),
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
        ((found - exact) - rest).abs() / self.unit(exact)
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

/// The largest error of an operation along rows of several lengths, beside the same operation of `f64`. It is measured in units of a
/// magnitude of the row, or of the result if that is greater: what cancels in a sum has rounded before.
fn along_rows((_, function, magnitude): AlongRows, dtype: DType) -> Result<f64, Error> {
    let (mut rng, mut worst) = (fastrand::Rng::with_seed(19), 0.0_f64);
    for columns in [1, 2, 7, 33, 64, 1000] {
        for scale in [0.25, 4.0] {
            let numbers = (0..40 * columns).map(|_| (rng.f64() - 0.5) * 2.0 * scale);
            let x = Tensor::<F64, Rank2>::from_vec(numbers.collect(), [40, columns])?;
            let x = x.into_dyn().cast(dtype);
            let (found, exact) = (function(&x)?, function(&x.cast(DType::F64))?);
            let units = Units::of(found.dtype());
            let sizes = numbers_of(&magnitude(&x.cast(DType::F64).abs()?)?)?;
            let (found, exact) = (numbers_of(&found)?, numbers_of(&exact)?);
            let per_size = found.len() / sizes.len();
            for (at, (found, exact)) in found.iter().zip(&exact).enumerate() {
                if exact.is_nan() && found.is_nan() {
                    continue; // variances of a single element
                }
                let size = sizes[at / per_size].max(exact.abs());
                worst = worst.max((found - exact).abs() / units.unit(size));
            }
        }
    }
    Ok(worst)
}

/// All elements, of any shape.
fn numbers_of(x: &DynTensor) -> Result<Vec<f64>, Error> {
    numbers(&x.flatten())
}

/// The bounds of the page, by function and column, in rows that start with `prefix`.
fn documented(prefix: &str) -> BTreeMap<String, Vec<f64>> {
    let page = include_str!("../../docs/accuracy.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix(prefix));
    rows.map(|row| {
        let (name, bounds) = row.split_once("` |").expect("a name and bounds");
        let bounds = bounds
            .trim_end_matches('|')
            .split('|')
            .map(|bound| bound.trim().parse().expect("a bound"));
        (name.to_owned(), bounds.collect())
    })
    .collect()
}

#[test]
fn errors_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let prints = std::env::var_os("SUPREMUM_ACCURACY").is_some();
    let documented = documented("| `");
    let mut faults = Vec::new();
    for function in functions() {
        let (name, function) = (function.name, function.call);
        let bounds = documented.get(name).cloned().unwrap_or_default();
        let mut row = format!("| `{name}` |");
        // The columns: 8-bit floats together.
        for (column, dtypes) in [
            &DTYPES[..5],
            &DTYPES[5..6],
            &DTYPES[6..7],
            &DTYPES[7..8],
            &DTYPES[8..],
        ]
        .into_iter()
        .enumerate()
        {
            let mut column_worst: f64 = 0.0;
            for dtype in dtypes {
                let (error, x) = match dtype {
                    DType::F64 => beside_published(name, function)?,
                    _ => beside_f64(function, *dtype, Units::of(*dtype))?,
                };
                column_worst = column_worst.max(error);
                let bound = bounds.get(column).copied().unwrap_or(0.0);
                if !bounds.is_empty() && (error.is_nan() || error > bound) {
                    faults.push(format!("{name} of {dtype} is off by {error:.4} units at {x:e}; the page says {bound}"));
                }
            }
            row += &format!(" {:.2} |", (column_worst * 100.0).ceil() / 100.0);
        }
        if bounds.is_empty() {
            faults.push(format!("the page lacks the row {row}"));
        }
        if prints {
            println!("{row}");
        }
    }
    for operation in ALONG_ROWS {
        let name = operation.0;
        let bounds = documented.get(name).cloned().unwrap_or_default();
        let mut row = format!("| `{name}` |");
        for (column, dtype) in DTYPES[5..8].iter().enumerate() {
            let error = along_rows(*operation, *dtype)?;
            let bound = bounds.get(column).copied().unwrap_or(0.0);
            if error.is_nan() || error > bound {
                faults.push(format!(
                    "{name} of {dtype} is off by {error:.4} units; the page says {bound}"
                ));
            }
            row += &format!(" {:.2} |", (error * 100.0).ceil() / 100.0);
        }
        if prints {
            println!("{row}");
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    let count = functions().count() + ALONG_ROWS.len();
    assert_eq!(documented.len(), count, "functions of the page");
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
