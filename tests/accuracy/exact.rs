//! Operations that do not round, and those that round once; and that the page names all operations.

use std::collections::BTreeSet;
use std::path::Path;

use supremum::__private::{FUNCTIONS, ROWS};
use supremum::prelude::*;
use supremum::{Kind, PadMode, PoolOptions, QuantileMethod};

use super::{DTYPES, Function, Table, Units, arguments, binary, if_defined, numbers_of, widest};
use crate::sources::fallible;

/// The operands of the calls.
struct Operands {
    /// A matrix of eight rows and eight columns.
    x: DynTensor,
    /// The same in the opposite order.
    y: DynTensor,
    /// A vector, sorted unless it is complex.
    v: DynTensor,
    /// A permutation of eight positions.
    k: DynTensor,
    /// A mask.
    m: DynTensor,
}

impl Operands {
    /// Numbers of all sizes, with infinities, zeros and a NaN, whose bits the widest dtype has too.
    fn of(dtype: DType) -> Result<Self, Error> {
        let mut rng = fastrand::Rng::with_seed(22);
        let mut bytes = vec![0; 64 * dtype.size()];
        rng.fill(&mut bytes);
        let x = DynTensor::from_bytes(dtype, [64], &bytes)?;
        let special = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1.0,
            1.0,
            -2.5,
        ];
        let special = special.into_iter().collect::<Tensor<F64, Rank1>>();
        let special = special.into_dyn().cast(dtype);
        let x = try_concat(&[&special, &x.try_slice(0, 8..)?], 0)?.try_reshape([8, 8])?;
        let k = [3, 0, 7, 1, 6, 2, 5, 4].into_iter();
        let v = x.try_index_axis(0, 1)?;
        Ok(Self {
            y: x.try_flip(0)?.try_flip(1)?,
            v: if_defined(v.try_sort(0))?.unwrap_or(v),
            k: k.collect::<Tensor<I64, Rank1>>().into_dyn(),
            m: x.real()?.try_gt(0.0)?,
            x,
        })
    }

    fn wide(&self) -> Self {
        let wide = |x: &DynTensor| x.cast(widest(x.dtype()));
        Self {
            x: wide(&self.x),
            y: wide(&self.y),
            v: wide(&self.v),
            k: self.k.clone(),
            m: self.m.clone(),
        }
    }
}

/// Converts the different return types of operations to a list of tensors.
trait Results {
    fn results(self) -> Result<Vec<DynTensor>, Error>;
}

impl Results for DynTensor {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        Ok(vec![self])
    }
}

impl Results for Vec<DynTensor> {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        Ok(self)
    }
}

impl<A: Results, B: Results> Results for (A, B) {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        Ok([self.0.results()?, self.1.results()?].concat())
    }
}

impl<T: Results> Results for Result<T, Error> {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        self?.results()
    }
}

type Call = fn(&Operands) -> Result<Vec<DynTensor>, Error>;

macro_rules! calls {
    ($operands:tt $($name:ident: $call:expr;)*) => {
        &[$((stringify!($name), {
            #[allow(unused_variables, reason = "each call reads some of the operands")]
            fn call(operands: &Operands) -> Result<Vec<DynTensor>, Error> {
                let Operands $operands = operands;
                $call.results()
            }
            call
        })),*]
    };
}

/// Calls of the operations that do not round, except for functions of one operand ([`exact_functions`]).
const EXACT: &[(&str, Call)] = calls! {
    { x, y, v, k, m }

    neg: x.try_neg();
    conj: x.conj();
    minimum: x.try_minimum(y);
    maximum: x.try_maximum(y);
    clamp: x.try_clamp(-1.0, 2.0);
    copysign: x.try_copysign(y);
    select: m.try_select(x, y);
    min: x.try_min_axis(-1);
    max: x.try_max_axis(-1);
    nan_min: x.try_nan_min_axis(-1);
    nan_max: x.try_nan_max_axis(-1);
    cummin: x.try_cummin(-1);
    cummax: x.try_cummax(-1);
    max_pool1d: x.try_unsqueeze(0)?.try_max_pool1d(PoolOptions::new([2]));
    max_pool2d: x.try_reshape([1, 1, 8, 8])?.try_max_pool2d(PoolOptions::new([2, 3]));
    scatter: x.try_scatter(&k.try_unsqueeze(1)?, y, 0);
    scatter_min: x.try_scatter_min(&k.try_unsqueeze(1)?, y, 0);
    scatter_max: x.try_scatter_max(&k.try_unsqueeze(1)?, y, 0);
    sort: x.try_sort(0);
    sort_descending: x.try_sort_descending(0);
    top_k: x.try_top_k(3, 1);
    unique: x.try_unique();
    unique_counts: x.try_unique_counts();
    unique_index: x.try_unique_index();
    unique_inverse: x.try_unique_inverse();

    equal: x.try_equal(y);
    not_equal: x.try_not_equal(y);
    lt: x.try_lt(y);
    le: x.try_le(y);
    gt: x.try_gt(y);
    ge: x.try_ge(y);
    is_close: x.try_is_close(y, 0.1, 0.01);
    is_in: x.try_is_in(v);
    any: x.try_any_axis(-1);
    all: x.try_all_axis(-1);

    argmin: x.try_argmin_axis(-1);
    argmax: x.try_argmax_axis(-1);
    nan_argmin: x.try_nan_argmin_axis(-1);
    nan_argmax: x.try_nan_argmax_axis(-1);
    argsort: x.try_argsort(0);
    argsort_descending: x.try_argsort_descending(0);
    searchsorted: v.try_searchsorted(x);
    searchsorted_right: v.try_searchsorted_right(x);
    searchsorted_rows: x.try_sort(1)?.try_searchsorted_rows(y);
    searchsorted_rows_right: x.try_sort(1)?.try_searchsorted_rows_right(y);
    nonzero: x.try_nonzero();
    argwhere: x.try_argwhere();
    flatnonzero: x.try_flatnonzero();
    count_nonzero: x.try_count_nonzero_axis(0);
    bincount: k.try_bincount(0);
    histogram: x.try_histogram(4, -2.0..=8.0);
    histogram_edges: x.try_histogram_edges(&k.try_sort(0)?);

    take: x.try_take(k, 0);
    take_along_axis: x.try_take_along_axis(&k.try_unsqueeze(1)?, 0);
    masked_select: x.try_masked_select(m);
    compress: x.try_compress(&m.try_index_axis(1, 0)?, 0);
    slice: x.try_slice(0, 1..);
    slice_step: x.try_slice_step(0, .., 2);
    slice_axes: x.try_slice_axes(s![0, 1..]);
    index_axis: x.try_index_axis(0, 1);
    split: x.try_split(&[3, 5], 0);
    chunk: x.try_chunk(2, 1);
    unstack: x.try_unstack(0);
    unfold: x.try_unfold(1, 2, 1);
    diagonal: x.try_diagonal(0, 0, 1);
    diag: v.try_diag(0);
    diag_embed: x.try_diag_embed(0);
    tril: x.try_tril(0);
    triu: x.try_triu(0);
    concat: x.try_concat(y, 0);
    stack: try_stack(&[x, y], 0);
    pad: x.try_pad([[1, 0], [0, 1]], 1);
    pad_with: x.try_pad_with([[1, 0], [0, 1]], PadMode::Edge);
    repeat: x.try_repeat(2, 0);
    repeat_each: x.try_repeat_each([1, 2, 0, 1, 1, 1, 0, 2], 0);
    tile: x.try_tile([1, 2]);
    roll: x.try_roll(1, 0);
    rot90: x.try_rot90(1, 0, 1);
    flip: x.try_flip(0);
    reshape: x.try_reshape([-1]);
    flatten: x.flatten();
    permute: x.try_permute([-1, 0]);
    transpose: x.transpose();
    matrix_transpose: x.try_matrix_transpose();
    swap_axes: x.try_swap_axes(0, 1);
    move_axis: x.try_move_axis(0, 1);
    squeeze: x.try_unsqueeze(0)?.try_squeeze(0);
    unsqueeze: x.try_unsqueeze(0);
    broadcast_to: x.try_broadcast_to([2, 8, 8]);
    contiguous: x.try_contiguous();
    one_hot: k.try_one_hot(8, x.dtype());
    widen: x.widen(widest(x.dtype()));
    zeros_like: x.try_zeros_like();
    ones_like: x.try_ones_like();
    full_like: x.try_full_like(0.5);
    zeros: DynTensor::zeros(x.dtype(), [2]);
    ones: DynTensor::ones(x.dtype(), [2]);
    full: DynTensor::full(x.dtype(), [2], 0.5);
    eye: DynTensor::eye(x.dtype(), 3);
};

/// The functions of one operand that do not round.
fn exact_functions() -> impl Iterator<Item = (&'static str, Function)> {
    let inexact: Vec<&str> = super::functions().map(|function| function.name).collect();
    let exact = FUNCTIONS
        .iter()
        .filter(move |function| !inexact.contains(&function.name));
    exact.map(|function| (function.name, function.call))
}

/// Operations that are not defined on complex numbers.
const NOT_OF_COMPLEX: &str = "
    minimum maximum clamp copysign min max nan_min nan_max cummin cummax max_pool1d max_pool2d scatter_min scatter_max relu floor ceil trunc
    lt le gt ge is_in is_sign_negative argmin argmax nan_argmin nan_argmax argsort argsort_descending histogram histogram_edges
    searchsorted searchsorted_right searchsorted_rows searchsorted_rows_right sort sort_descending top_k
    unique unique_counts unique_index unique_inverse
";

/// The bits of all elements as `f64`, or of all parts of complex ones. NaN has no sign, and zero none in dtypes without a negative one.
fn all_bits(x: &DynTensor, dtype: DType) -> Result<Vec<u64>, Error> {
    if x.dtype().kind() == Kind::Complex {
        let parts = [all_bits(&x.real()?, dtype)?, all_bits(&x.imag()?, dtype)?];
        return Ok(parts.concat());
    }
    let lacks_negative_zero = dtype.to_string().ends_with("fnuz");
    let bits = |x: f64| match x {
        _ if x.is_nan() => f64::NAN.to_bits(),
        0.0 if lacks_negative_zero => 0,
        _ => x.to_bits(),
    };
    Ok(numbers_of(x)?.into_iter().map(bits).collect())
}

/// The names of the operations that a dtype does not have; the others give the same results in the widest dtype.
fn undefined(dtype: DType) -> Result<BTreeSet<&'static str>, Error> {
    let mut undefined = BTreeSet::new();
    let mut check =
        |name, call: &dyn Fn(bool) -> Result<Vec<DynTensor>, Error>| -> Result<(), Error> {
            let Some(found) = if_defined(call(false))? else {
                undefined.insert(name);
                return Ok(());
            };
            let exact = call(true)?;
            assert_eq!(found.len(), exact.len());
            for (found, exact) in found.iter().zip(&exact) {
                assert_eq!(found.shape(), exact.shape(), "{name} of {dtype}");
                assert!(
                    all_bits(found, dtype)? == all_bits(exact, dtype)?,
                    "{name} of {dtype}"
                );
            }
            Ok(())
        };
    let x = match dtype.size() {
        1 | 2 => arguments(dtype)?,
        _ => binary::operands(dtype)?[0].clone(),
    };
    let wide = x.cast(widest(dtype));
    // Magnitudes and signs of complex numbers round.
    let functions = exact_functions()
        .filter(|(name, _)| dtype.kind() != Kind::Complex || !["abs", "sign"].contains(name));
    for (name, function) in functions {
        check(name, &|is_wide| {
            let x = if is_wide { &wide } else { &x };
            Ok(vec![function(x)?])
        })?;
    }
    let operands = Operands::of(dtype)?;
    let wide = operands.wide();
    for (name, call) in EXACT {
        check(name, &|is_wide| {
            call(if is_wide { &wide } else { &operands })
        })?;
    }
    Ok(undefined)
}

/// An operation that does not round gives the same result in a wider dtype.
#[test]
fn exact_operations_give_the_same_in_the_widest_dtype() -> Result<(), Error> {
    for dtype in &DTYPES[..8] {
        assert_eq!(undefined(*dtype)?, BTreeSet::new(), "{dtype}");
    }
    let not_of_complex: BTreeSet<&str> = NOT_OF_COMPLEX.split_whitespace().collect();
    assert_eq!(undefined(DType::C64)?, not_of_complex);
    let page = Table::of("Exact operations");
    let called: BTreeSet<&str> = EXACT.iter().map(|(name, _)| *name).collect();
    let called = called
        .into_iter()
        .chain(exact_functions().map(|(name, _)| name));
    let called: BTreeSet<&str> = called.chain(["next_after"]).collect();
    assert_eq!(page.bounds.keys().copied().collect::<BTreeSet<_>>(), called);
    Ok(())
}

/// The float after each is the one with the next bits: no other lies between.
#[test]
fn the_next_float_is_the_nearest() -> Result<(), Error> {
    for dtype in &DTYPES[..7] {
        let x = arguments(*dtype)?;
        let (numbers, next) = (
            numbers_of(&x)?,
            numbers_of(&x.try_next_after(Units::of(*dtype).greatest)?)?,
        );
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|x| x.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.dedup();
        for (x, next) in numbers.into_iter().zip(next).filter(|(x, _)| x.is_finite()) {
            let after = sorted.partition_point(|other| *other <= x);
            if let Some(after) = sorted.get(after) {
                assert_eq!(next, *after, "{x} of {dtype}");
            }
        }
    }
    Ok(())
}

/// An operation on two numbers, and the same of two `f64`.
pub(crate) type RoundsOnce = (&'static str, binary::Function, fn(f64, f64) -> f64);

/// Operations that round once: the nearest of the result of `f64`, whose digits are more than twice as many as those of `f32`.
pub(crate) const ROUND_ONCE: &[RoundsOnce] = &[
    ("add", |x, y| x.try_add(y), |x, y| x + y),
    ("sub", |x, y| x.try_sub(y), |x, y| x - y),
    ("mul", |x, y| x.try_mul(y), |x, y| x * y),
    ("div", |x, y| x.try_div(y), |x, y| x / y),
    (
        "leaky_relu",
        |x, y| x.try_leaky_relu(y),
        |x, slope| if x >= 0.0 { x } else { x * slope },
    ),
];

#[test]
fn some_operations_round_once() -> Result<(), Error> {
    for dtype in DTYPES {
        let mut operands = binary::operands(*dtype)?;
        // All pairs of 8-bit floats.
        if dtype.size() > 1 {
            operands = [
                operands[0].try_slice(0, ..4096)?,
                operands[1].try_slice(0, ..4096)?,
            ];
        }
        let [x, y] = &operands;
        for (name, function, of_f64) in ROUND_ONCE {
            let wide = numbers_of(x)?.into_iter().zip(numbers_of(y)?);
            let exact: Vec<f64> = wide.map(|(x, y)| of_f64(x, y)).collect();
            let nearest = DynTensor::from_vec(exact, x.shape())?.cast(*dtype);
            let found = all_bits(&function(x, y)?, *dtype)?;
            assert!(found == all_bits(&nearest, *dtype)?, "{name} of {dtype}");
        }
    }
    Ok(())
}

fn row(x: &DynTensor, index: isize) -> Result<DynTensor, Error> {
    x.try_index_axis(0, index)
}

/// Operations that compute as others of the page, on rows without NaN.
const AS_OTHERS: &[(&str, Function, Function)] = &[
    (
        "nan_sum",
        |x| x.try_nan_sum_axis(-1),
        |x| x.try_sum_axis(-1),
    ),
    (
        "nan_prod",
        |x| x.try_nan_prod_axis(-1),
        |x| x.try_prod_axis(-1),
    ),
    (
        "nan_mean",
        |x| x.try_nan_mean_axis(-1),
        |x| x.try_mean_axis(-1),
    ),
    (
        "nan_var",
        |x| x.try_nan_var_axis(-1),
        |x| x.try_var_axis(-1),
    ),
    (
        "nan_std",
        |x| x.try_nan_std_axis(-1),
        |x| x.try_std_axis(-1),
    ),
    (
        "nan_var_corrected",
        |x| x.try_nan_var_corrected(1, -1),
        |x| x.try_var_corrected(1, -1),
    ),
    (
        "nan_std_corrected",
        |x| x.try_nan_std_corrected(1, -1),
        |x| x.try_std_corrected(1, -1),
    ),
    (
        "nan_quantile",
        |x| x.try_nan_quantile_axis(0.3, QuantileMethod::Linear, -1),
        |x| x.try_quantile_axis(0.3, QuantileMethod::Linear, -1),
    ),
    (
        "median",
        |x| x.try_median_axis(-1),
        |x| x.try_quantile_axis(0.5, QuantileMethod::Linear, -1),
    ),
    (
        "nan_median",
        |x| x.try_nan_median_axis(-1),
        |x| x.try_quantile_axis(0.5, QuantileMethod::Linear, -1),
    ),
    (
        "diff",
        |x| x.try_diff(2, 1),
        |x| {
            let differences = x.try_slice(1, 1..)?.try_sub(x.try_slice(1, ..49)?)?;
            differences
                .try_slice(1, 1..)?
                .try_sub(differences.try_slice(1, ..48)?)
        },
    ),
    (
        "outer",
        |x| row(x, 0)?.try_outer(&row(x, 1)?),
        |x| row(x, 0)?.try_unsqueeze(1)?.try_mul(&row(x, 1)?),
    ),
    (
        "kron",
        |x| row(x, 0)?.try_kron(&row(x, 1)?),
        |x| Ok(row(x, 0)?.try_unsqueeze(1)?.try_mul(&row(x, 1)?)?.flatten()),
    ),
    (
        "trace",
        |x| x.try_slice(1, ..32)?.try_trace(0),
        |x| x.try_diagonal(0, 0, 1)?.try_sum(),
    ),
    (
        "logspace",
        |x| DynTensor::try_logspace(x.dtype(), -1.7, 1.4, 50),
        |x| {
            let exponents = DynTensor::try_linspace(DType::F64, -1.7, 1.4, 50)?;
            let powers = DynTensor::scalar(DType::F64, 10.0)?.try_pow(&exponents)?;
            Ok(powers.cast(x.dtype()))
        },
    ),
];

#[test]
fn some_operations_compute_as_others() -> Result<(), Error> {
    let mut rng = fastrand::Rng::with_seed(24);
    let mut part = || 3.0 * rng.f64() - 1.0;
    let x: Vec<c128> = (0..32 * 50).map(|_| c128::new(part(), part())).collect();
    let x = DynTensor::from_vec(x, [32, 50])?;
    for (name, function, other) in AS_OTHERS {
        for dtype in DTYPES.iter().chain(&[DType::C64, DType::C128]) {
            let x = match dtype.kind() {
                Kind::Complex => x.cast(*dtype),
                _ => x.real()?.cast(*dtype),
            };
            let found = if_defined(function(&x))?;
            let expected = if_defined(other(&x))?;
            assert_eq!(
                found.map(|x| x.to_bytes()),
                expected.map(|x| x.to_bytes()),
                "{name} of {dtype}"
            );
        }
    }
    let page = Table::of("Operations that compute as others");
    let names: BTreeSet<&str> = AS_OTHERS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(page.bounds.keys().copied().collect::<BTreeSet<_>>(), names);
    Ok(())
}

/// Names in the sources that make no numbers: they read or write elements, or are words of macros.
const NO_OPERATIONS: &str = "
    get set assign fill to_vec as_mut_slice view_mut slice_mut slice_step_mut slice_axes_mut index_axis_mut diagonal_mut rows rows_mut
    axis_iter axis_iter_mut zip_mut_with from_bytes from_fn from_slice from_vec scalar name method operator axis keepdims fold for_each
    from into bitand bitor bitxor not shl shr
";

#[test]
fn the_page_names_all_operations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for folder in [
        "src/tensor",
        "src/ops",
        "src/op",
        "src/dynamic",
        "src/interop/random",
    ] {
        fallible(&root.join(folder), &mut found);
    }
    let mut names: BTreeSet<&str> = found
        .iter()
        .filter_map(|name| name.strip_prefix("try_"))
        .collect();
    let rows = ROWS.iter().copied().flatten().map(|(name, _)| *name);
    names.extend(rows.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_')));
    let page = include_str!("../../docs/accuracy.md");
    let words = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut known: BTreeSet<&str> = words.chain(NO_OPERATIONS.split_whitespace()).collect();
    // A form with axes is that of the operation.
    let forms = names.iter().copied().filter(|name| {
        let of = ["_axis", "_keepdims"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        of.is_some_and(|of| known.contains(of))
    });
    let forms: Vec<&str> = forms.collect();
    known.extend(forms);
    let missing: Vec<_> = names.difference(&known).collect();
    assert!(missing.is_empty(), "the page does not name {missing:?}");
}
