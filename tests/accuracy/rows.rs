//! Operations along rows: floats of at most 32 bits beside the same operation of `f64`, `c64` beside that of `c128`, and these two beside
//! values that `tests/data/accuracy/observe_rows.py` wrote.

use std::collections::BTreeMap;

use supremum::prelude::*;
use supremum::{ConvOptions, Kind, PoolOptions, QuantileMethod};

use super::{
    COLUMNS, DTYPES, Function, Table, Units, binary::bits, complex_numbers_of, if_defined,
    numbers_of, widest,
};

/// An operation along rows, and by what its errors are measured.
pub(crate) struct AlongRows {
    pub(crate) name: &'static str,
    /// The name of its values in `rows_f64.csv`.
    values: &'static str,
    pub(crate) call: Function,
    of: Measure,
}

/// The number whose unit in the last place measures an error: what the page calls it, and the number for each row or result, of the
/// operand. If the result is greater, it is that.
type Measure = (&'static str, Function);

const RESULT: Measure = ("the result", |x| x.abs()?.try_max_keepdims(-1)?.try_mul(0));
const GREATEST: Measure = ("the greatest number", |x| x.abs()?.try_max_keepdims(-1));
/// No sum of products is more accurate where terms cancel.
const PRODUCTS: Measure = ("the products' magnitudes", |x| {
    x.abs()?.try_matmul(&transposed(&x.abs()?)?)
});
const FEW_PRODUCTS: Measure = ("the products' magnitudes", |x| {
    x.abs()?.try_matmul(&transposed(&few(&x.abs()?)?)?)
});
const DEVIATIONS: Measure = ("both deviations", |x| {
    let deviations = x.try_std_corrected_keepdims(1, -1)?;
    deviations.try_mul(&transposed(&deviations)?)
});
const ONE: Measure = ("one", |x| x.try_max_keepdims(-1)?.try_mul(0)?.try_add(1));

fn transposed(x: &DynTensor) -> Result<DynTensor, Error> {
    x.try_swap_axes(0, 1)
}

/// The first four rows: filters of convolutions, which take other loops if there are many of them.
fn few(x: &DynTensor) -> Result<DynTensor, Error> {
    x.try_slice(0, ..4)
}

/// The first numbers of each row: products of more leave the range of `f32`.
fn factors(x: &DynTensor) -> Result<DynTensor, Error> {
    x.try_slice(1, ..20.min(x.shape()[1].cast_signed()))
}

/// The number of its row for each element.
fn numbers_of_rows(x: &DynTensor) -> Result<DynTensor, Error> {
    let rows = DynTensor::arange(DType::I64, 0, x.shape()[0] as i64, 1)?;
    rows.try_repeat_each(vec![x.shape()[1]; x.shape()[0]], 0)
}

/// Puts axes of size one between the rows and their numbers.
fn apart(x: &DynTensor, axes: usize) -> Result<DynTensor, Error> {
    (0..axes).try_fold(x.clone(), |x, _| x.try_unsqueeze(1))
}

/// The results of convolutions as a matrix: a row for each example, and a number for each filter.
fn flat(results: DynTensor) -> Result<DynTensor, Error> {
    let shape = [results.shape()[0], results.shape()[1]];
    results.try_reshape(shape.map(usize::cast_signed))
}

macro_rules! along_rows {
    ($($name:literal $($values:literal)?, $of:ident, $call:expr;)*) => {
        &[$(AlongRows {
            name: $name,
            values: along_rows!(@ $name $($values)?),
            of: $of,
            call: $call,
        }),*]
    };
    (@ $name:literal) => { $name };
    (@ $name:literal $values:literal) => { $values };
}

pub(crate) const ALONG_ROWS: &[AlongRows] = along_rows! {
    "softmax", RESULT, |x| x.try_softmax(-1);
    "log_softmax", GREATEST, |x| x.try_log_softmax(-1);
    "log_sum_exp", GREATEST, |x| x.try_log_sum_exp(-1);
    "sum", GREATEST, |x| x.try_sum_axis(-1);
    "cumsum", GREATEST, |x| x.try_cumsum(-1);
    "scatter_add" "sum", GREATEST, |x| {
        let sums = DynTensor::zeros(x.dtype(), [x.shape()[0], 1])?;
        sums.try_scatter_add(&DynTensor::zeros(DType::I64, x.shape())?, x, 1)
    };
    "bincount_weighted" "sum", GREATEST, |x| numbers_of_rows(x)?.try_bincount_weighted(&x.flatten(), 0);
    "histogram_weighted" "sum", GREATEST, |x| {
        let edges = DynTensor::arange(DType::I64, 0, x.shape()[0] as i64 + 1, 1)?;
        numbers_of_rows(x)?.try_histogram_weighted(&edges, &x.flatten())
    };
    "mean", GREATEST, |x| x.try_mean_axis(-1);
    "avg_pool1d" "mean", GREATEST, |x| {
        x.try_unsqueeze(0)?.try_avg_pool1d(PoolOptions::new([x.shape()[1]]))
    };
    "avg_pool2d" "mean", GREATEST, |x| {
        apart(x, 1)?.try_unsqueeze(0)?.try_avg_pool2d(PoolOptions::new([1, x.shape()[1]]))
    };
    "quantile", GREATEST, |x| x.try_quantile_axis(0.3, QuantileMethod::Linear, -1);
    "prod", RESULT, |x| factors(x)?.try_prod_axis(-1);
    "cumprod", RESULT, |x| factors(x)?.try_cumprod(-1);
    "norm", RESULT, |x| x.try_norm(2.0, -1);
    "norm" "norm_1", RESULT, |x| x.try_norm(1.0, -1);
    "norm" "norm_3", RESULT, |x| x.try_norm(3.0, -1);
    "var", RESULT, |x| x.try_var_axis(-1);
    "std", RESULT, |x| x.try_std_axis(-1);
    "var_corrected", RESULT, |x| x.try_var_corrected(1, -1);
    "std_corrected", RESULT, |x| x.try_std_corrected(1, -1);
    "cov", DEVIATIONS, |x| x.try_cov(1);
    "corrcoef", ONE, |x| x.try_corrcoef();
    "matmul", PRODUCTS, |x| x.try_matmul(&transposed(x)?);
    "matmul_in" "matmul", PRODUCTS, |x| x.try_matmul_in(&transposed(x)?, wide(x));
    "einsum" "matmul", PRODUCTS, |x| DynTensor::try_einsum("ij,kj->ik", &[x, x]);
    "tensordot" "matmul", FEW_PRODUCTS, |x| x.try_tensordot(&few(x)?, 1, 1);
    "dot" "matmul", FEW_PRODUCTS, |x| {
        let rows = x.try_unstack(0)?;
        let dots = rows.iter().flat_map(|row| rows[..4].iter().map(move |other| row.try_dot(other)));
        let dots: Vec<DynTensor> = dots.collect::<Result<_, Error>>()?;
        try_stack(&dots.iter().collect::<Vec<_>>(), 0)
    };
    "conv1d" "matmul", FEW_PRODUCTS, |x| {
        flat(apart(x, 1)?.try_conv1d(&apart(&few(x)?, 1)?, ConvOptions::new())?)
    };
    "conv1d" "matmul", PRODUCTS, |x| flat(apart(x, 1)?.try_conv1d(&apart(x, 1)?, ConvOptions::new())?);
    "conv2d" "matmul", FEW_PRODUCTS, |x| {
        flat(apart(x, 2)?.try_conv2d(&apart(&few(x)?, 2)?, ConvOptions::new())?)
    };
    "conv_transpose1d" "matmul", FEW_PRODUCTS, |x| {
        // Filters lie backwards, and the padding leaves the position at which they meet all numbers.
        let filters = few(x)?.try_flip(-1)?.try_unsqueeze(0)?;
        let padding = ConvOptions::new().padding([x.shape()[1] - 1]);
        flat(apart(x, 1)?.try_conv_transpose1d(&filters, padding)?)
    };
    "conv_transpose2d" "matmul", FEW_PRODUCTS, |x| {
        let filters = few(x)?.try_flip(-1)?.try_unsqueeze(1)?.try_unsqueeze(0)?;
        let padding = ConvOptions::new().padding([0, x.shape()[1] - 1]);
        flat(apart(x, 2)?.try_conv_transpose2d(&filters, padding)?)
    };
};

/// The dtype in which `matmul_in` adds: for the reference the widest.
fn wide(x: &DynTensor) -> DType {
    match x.dtype() {
        dtype @ (DType::F64 | DType::C64 | DType::C128) => dtype,
        _ => DType::F32,
    }
}

/// An exact value: the nearest `f64` of each part, and the rest.
type Exact = [c128; 2];

/// The largest error of rows of results.
fn worst(
    operation: &AlongRows,
    x: &DynTensor,
    found: &DynTensor,
    exact: &[Exact],
) -> Result<f64, Error> {
    let units = Units::of(found.dtype());
    let is_complex = found.dtype().kind() == Kind::Complex;
    let sizes = numbers_of(&(operation.of.1)(x)?)?;
    let found = complex_numbers_of(found)?;
    assert_eq!(found.len(), exact.len(), "{}", operation.name);
    let per_size = found.len() / sizes.len();
    let errors = found.iter().zip(exact).enumerate();
    Ok(errors.fold(0.0, |worst, (at, (found, [exact, rest]))| {
        let size = sizes[at / per_size];
        let error = if is_complex {
            units.complex_error_in(*found, *exact, *rest, size)
        } else {
            units.error_in(found.re, exact.re, rest.re, size)
        };
        assert!(!error.is_nan(), "{}: {found}, not {exact}", operation.name);
        error.max(worst)
    }))
}

/// The largest error along rows of several lengths, beside the same operation of `f64` or `c128`.
fn beside_widest(operation: &AlongRows, dtype: DType) -> Result<f64, Error> {
    let (mut rng, mut greatest) = (fastrand::Rng::with_seed(19), 0.0_f64);
    // Sums of 8-bit floats are sums of `f32`, and there are five such dtypes.
    let lengths: &[usize] = match dtype.size() {
        1 => &[1, 7, 64],
        _ => &[1, 2, 7, 33, 64, 1000],
    };
    for columns in lengths.iter().copied() {
        // Convolutions take another way for more than 16 filters.
        let rows = if dtype.size() == 1 || columns == 1000 {
            6
        } else {
            20
        };
        let kinds: &[(f64, f64)] = match columns {
            1000 => &[(0.0, 4.0), (20.0, 1.0)],
            _ => &[(0.0, 0.25), (0.0, 4.0), (20.0, 1.0)],
        };
        for (mean, scale) in kinds {
            let mut part = || mean + (rng.f64() - 0.5) * 2.0 * scale;
            let numbers = (0..rows * columns).map(|_| match dtype.kind() {
                Kind::Complex => c128::new(part(), part()),
                _ => part().into(),
            });
            let x = DynTensor::from_vec(numbers.collect::<Vec<_>>(), [rows, columns])?.cast(dtype);
            let wide = x.cast(widest(dtype));
            let exact = complex_numbers_of(&(operation.call)(&wide)?)?;
            let exact: Vec<Exact> = exact.into_iter().map(|exact| [exact, c128::ZERO]).collect();
            greatest = greatest.max(worst(operation, &wide, &(operation.call)(&x)?, &exact)?);
        }
    }
    Ok(greatest)
}

/// Numbers of `rows_f64.csv` or `rows_c128.csv`: one for each real number, and two for each complex one.
fn parts(numbers: &[f64], is_complex: bool) -> Vec<c128> {
    if is_complex {
        let (parts, rest) = numbers.as_chunks();
        assert!(rest.is_empty(), "{numbers:?}");
        parts.iter().map(|[re, im]| c128::new(*re, *im)).collect()
    } else {
        numbers.iter().map(|re| (*re).into()).collect()
    }
}

/// The largest errors of operations of `f64` or `c128`, in the order of the operations.
fn beside_values(dtype: DType) -> Result<Vec<f64>, Error> {
    let (table, is_complex) = match dtype {
        DType::C128 => (include_str!("../data/accuracy/rows_c128.csv"), true),
        _ => (include_str!("../data/accuracy/rows_f64.csv"), false),
    };
    let mut greatest = vec![f64::NAN; ALONG_ROWS.len()];
    let mut x = DynTensor::zeros(dtype, [0, 0])?;
    for line in table.lines() {
        let (name, row) = line.split_once(',').expect("a name");
        if name == "x" {
            let (columns, row) = row.split_once(',').expect("a number of columns");
            let columns: usize = columns.parse().expect("a number");
            let numbers: Vec<f64> = row.split(',').map(bits).collect();
            x = DynTensor::from_vec(parts(&numbers, is_complex), [4, columns])?.cast(dtype);
            continue;
        }
        let values: Vec<f64> = row.split(',').map(bits).collect();
        let (values, rest) = values.as_chunks();
        assert!(rest.is_empty(), "{row}");
        let [nearest, rests] = [0, 1].map(|which| {
            let numbers: Vec<f64> = values.iter().map(|value: &[f64; 2]| value[which]).collect();
            parts(&numbers, is_complex)
        });
        let exact: Vec<Exact> = nearest.into_iter().zip(rests).map(Into::into).collect();
        for (operation, greatest) in ALONG_ROWS.iter().zip(&mut greatest) {
            if operation.values == name {
                let error = worst(operation, &x, &(operation.call)(&x)?, &exact)?;
                *greatest = greatest.max(error);
            }
        }
    }
    Ok(greatest)
}

/// The largest errors in the table's columns; those of complex numbers, if the operation takes them.
fn errors_of(operation: &AlongRows, of_f64: f64, of_c128: f64) -> Result<Vec<f64>, Error> {
    let mut errors = Vec::new();
    for dtypes in COLUMNS {
        let found = DTYPES[dtypes].iter().map(|dtype| match dtype {
            DType::F64 => Ok(of_f64),
            _ => beside_widest(operation, *dtype),
        });
        let found = found.collect::<Result<Vec<f64>, Error>>()?;
        errors.push(found.into_iter().max_by(f64::total_cmp).expect("dtypes"));
    }
    if let Some(of_c64) = if_defined(beside_widest(operation, DType::C64))? {
        errors.extend([of_c64, of_c128]);
    }
    Ok(errors)
}

#[test]
fn errors_along_rows_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let page = Table::of("Operations along rows");
    let mut errors = BTreeMap::<&str, Vec<f64>>::new();
    let of_f64 = beside_values(DType::F64)?;
    let of_c128 = beside_values(DType::C128)?;
    for (operation, (of_f64, of_c128)) in ALONG_ROWS.iter().zip(of_f64.into_iter().zip(of_c128)) {
        page.says_unit(operation.name, operation.of.0);
        let found = errors_of(operation, of_f64, of_c128)?;
        assert!(
            !found.iter().any(|error| error.is_nan()),
            "{} has no values",
            operation.name
        );
        let errors = errors
            .entry(operation.name)
            .or_insert_with(|| vec![0.0; found.len()]);
        assert_eq!(errors.len(), found.len(), "dtypes of {}", operation.name);
        for (error, found) in errors.iter_mut().zip(found) {
            *error = error.max(found);
        }
    }
    page.check(&errors);
    Ok(())
}
