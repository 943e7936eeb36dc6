//! Each operation in each form: a method of `Tensor`, one of `DynTensor`, a word of `fuse!`, and recorded in StableHLO.
//!
//! [`FORMS`] has a call of each operation, which is compiled for both types of tensors. The tests compare the list with the names in the
//! sources, so that an operation without an entry fails; an entry that a form lacks is in one of the lists of reasons.

use std::collections::BTreeSet;
use std::path::Path;

use supremum::__private::{FUNCTIONS, FUSE_WORDS, ROWS};
use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input};
use supremum::{
    ConvOptions, Kind, PadMode, PoolOptions, PoolPadding, QuantileMethod, SamePadding, try_einsum,
    try_select,
};

use crate::sources::fallible;

/// The operands of the calls: floats of three shapes, integers, positions and a mask.
struct Operands<X, V, S, I, N, K, M> {
    /// A matrix of floats between zero and one.
    x: X,
    /// Another one.
    y: X,
    v: V,
    /// One image of one channel and one row.
    row: S,
    image: I,
    /// Small integers.
    n: N,
    /// Positions.
    k: K,
    m: M,
}

type Typed = Operands<
    Tensor<F32, Rank2>,
    Tensor<F32, Rank1>,
    Tensor<F32, Rank3>,
    Tensor<F32, Rank4>,
    Tensor<I32, Rank2>,
    Tensor<I32, Rank1>,
    Tensor<Bool, Rank2>,
>;
type Dynamic =
    Operands<DynTensor, DynTensor, DynTensor, DynTensor, DynTensor, DynTensor, DynTensor>;

fn typed() -> Typed {
    let x = Tensor::<F32, Rank2>::from_vec(
        vec![0.5, 0.25, 0.75, 0.125, 0.5, 0.375, 0.25, 0.625, 0.875],
        [3, 3],
    )
    .expect("nine elements");
    let n: Tensor<I32, Rank2> = tensor![[2, 1, 3], [1, 2, 2], [3, 1, 1]];
    Operands {
        y: x.transpose(),
        v: x.index_axis(0, 0),
        row: x.reshape([1, 1, 9]),
        image: x.reshape([1, 1, 3, 3]),
        k: tensor![2, 0, 1],
        m: x.gt(0.3),
        n,
        x,
    }
}

impl Dynamic {
    /// The operands in a dtype.
    fn of(dtype: DType) -> Self {
        let typed = typed();
        // Floats become integers and booleans that differ.
        let float = |x: DynTensor| match dtype.kind() {
            Kind::Float | Kind::Complex => x.cast(dtype),
            _ => (x * 8).cast(dtype),
        };
        Operands {
            x: float(typed.x.into_dyn()),
            y: float(typed.y.into_dyn()),
            v: float(typed.v.into_dyn()),
            row: float(typed.row.into_dyn()),
            image: float(typed.image.into_dyn()),
            n: typed.n.into_dyn(),
            k: typed.k.into_dyn(),
            m: typed.m.into_dyn(),
        }
    }

    fn all(&self) -> [&DynTensor; 8] {
        [
            &self.x,
            &self.y,
            &self.v,
            &self.row,
            &self.image,
            &self.n,
            &self.k,
            &self.m,
        ]
    }

    fn of_all(all: Vec<DynTensor>) -> Self {
        let [x, y, v, row, image, n, k, m] = all.try_into().expect("eight operands");
        Operands {
            x,
            y,
            v,
            row,
            image,
            n,
            k,
            m,
        }
    }
}

/// Converts what an operation returns to tensors of run-time dtypes.
trait Results {
    fn results(self) -> Result<Vec<DynTensor>, Error>;
}

impl<D: StaticDType, N: Rank, R: Rules> Results for Tensor<D, N, R> {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        Ok(vec![self.into_dyn()])
    }
}

impl Results for DynTensor {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        Ok(vec![self])
    }
}

impl<T: Results> Results for Result<T, Error> {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        self?.results()
    }
}

impl<A: Results, B: Results> Results for (A, B) {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        Ok([self.0.results()?, self.1.results()?].concat())
    }
}

impl<T: Results> Results for Vec<T> {
    fn results(self) -> Result<Vec<DynTensor>, Error> {
        let all: Result<Vec<_>, Error> = self.into_iter().map(T::results).collect();
        all.map(|all| all.concat())
    }
}

struct Form {
    name: &'static str,
    typed: fn(&Typed) -> Result<Vec<DynTensor>, Error>,
    dynamic: fn(&Dynamic) -> Result<Vec<DynTensor>, Error>,
}

/// The calls: `operand.method(arguments);`, and after `=>` that of `DynTensor` if it has other arguments.
macro_rules! forms {
    ($operands:tt $(
        $x:ident.$method:ident $(::<$to:ty>)? ($($argument:expr),*) $(=> $dynamic:expr)?;
    )*) => {
        /// The methods.
        const FORMS: &[Form] = &[$(Form {
            name: stringify!($method),
            typed: {
                #[allow(unused_variables, reason = "each call reads some of the operands")]
                fn call(operands: &Typed) -> Result<Vec<DynTensor>, Error> {
                    let Operands $operands = operands;
                    $x.$method $(::<$to>)? ($($argument),*).results()
                }
                call
            },
            dynamic: {
                #[allow(unused_variables, reason = "each call reads some of the operands")]
                fn call(operands: &Dynamic) -> Result<Vec<DynTensor>, Error> {
                    let Operands $operands = operands;
                    forms!(@dynamic $x.$method($($argument),*) $(=> $dynamic)?).results()
                }
                call
            },
        }),*];
    };
    (@dynamic $call:expr) => { $call };
    (@dynamic $call:expr => $dynamic:expr) => { $dynamic };
}

forms! {
    { x, y, v, row, image, n, k, m }

        x.sqrt();
        x.exp();
        x.exp2();
        x.exp_m1();
        x.ln();
        x.ln_1p();
        x.log2();
        x.log10();
        x.sin();
        x.cos();
        x.tan();
        x.asin();
        x.acos();
        x.atan();
        x.sinh();
        x.cosh();
        x.tanh();
        x.asinh();
        x.acosh();
        x.atanh();
        x.sigmoid();
        x.relu();
        x.gelu();
        x.gelu_tanh();
        x.silu();
        x.softplus();
        x.erf();
        x.rsqrt();
        x.cbrt();
        x.erfc();
        x.round();
        x.sign();
        x.floor();
        x.ceil();
        x.trunc();
        x.recip();
        x.abs();
        x.real();
        x.imag();
        x.is_nan();
        x.is_infinite();
        x.is_finite();
        x.is_sign_negative();
        x.conj();
        x.try_sum(); x.try_sum_axis(-1); x.try_sum_keepdims([0, 1]);
        x.try_prod(); x.try_prod_axis(-1); x.try_prod_keepdims([0, 1]);
        x.try_mean(); x.try_mean_axis(-1); x.try_mean_keepdims([0, 1]);
        x.try_var(); x.try_var_axis(-1); x.try_var_keepdims([0, 1]);
        x.try_std(); x.try_std_axis(-1); x.try_std_keepdims([0, 1]);
        x.try_min(); x.try_min_axis(-1); x.try_min_keepdims([0, 1]);
        x.try_max(); x.try_max_axis(-1); x.try_max_keepdims([0, 1]);
        x.try_any(); x.try_any_axis(-1); x.try_any_keepdims([0, 1]);
        x.try_all(); x.try_all_axis(-1); x.try_all_keepdims([0, 1]);
        x.try_argmin(); x.try_argmin_axis(-1); x.try_argmin_keepdims(1);
        x.try_argmax(); x.try_argmax_axis(-1); x.try_argmax_keepdims(1);
        x.try_nan_argmin(); x.try_nan_argmin_axis(-1); x.try_nan_argmin_keepdims(1);
        x.try_nan_argmax(); x.try_nan_argmax_axis(-1); x.try_nan_argmax_keepdims(1);
        x.try_nan_prod(); x.try_nan_prod_axis(-1); x.try_nan_prod_keepdims([0, 1]);
        x.try_nan_sum(); x.try_nan_sum_axis(-1); x.try_nan_sum_keepdims([0, 1]);
        x.try_nan_mean(); x.try_nan_mean_axis(-1); x.try_nan_mean_keepdims([0, 1]);
        x.try_nan_var(); x.try_nan_var_axis(-1); x.try_nan_var_keepdims([0, 1]);
        x.try_nan_std(); x.try_nan_std_axis(-1); x.try_nan_std_keepdims([0, 1]);
        x.try_nan_min(); x.try_nan_min_axis(-1); x.try_nan_min_keepdims([0, 1]);
        x.try_nan_max(); x.try_nan_max_axis(-1); x.try_nan_max_keepdims([0, 1]);
        x.try_count_nonzero(); x.try_count_nonzero_axis(-1); x.try_count_nonzero_keepdims([0, 1]);
        x.try_median(); x.try_median_axis(-1); x.try_median_keepdims(1);
        x.try_quantile(0.25, QuantileMethod::Linear); x.try_quantile_axis(0.25, QuantileMethod::Linear, 1);
        x.try_quantile_keepdims(0.25, QuantileMethod::Linear, 1); x.try_quantile_axis([0.25, 0.5], QuantileMethod::Linear, 1);
        x.try_nan_quantile_keepdims([0.25, 0.5], QuantileMethod::Linear, 0);
        x.try_nan_median(); x.try_nan_median_axis(-1); x.try_nan_median_keepdims([0, 1]);
        x.try_nan_quantile(0.25, QuantileMethod::Linear); x.try_nan_quantile_axis(0.25, QuantileMethod::Linear, [0, 1]);
        x.try_nan_quantile_keepdims(0.25, QuantileMethod::Higher, 1);
        x.try_add(y);
        x.try_sub(y);
        x.try_mul(y);
        x.try_div(y);
        x.try_rem(y);
        x.try_floor_div(y);
        x.try_pow(y);
        x.try_atan2(y);
        x.try_hypot(y);
        x.try_log_add_exp(y);
        x.try_copysign(y);
        x.try_next_after(y);
        x.try_leaky_relu(y);
        x.try_elu(y);
        x.try_minimum(y);
        x.try_maximum(y);
        x.try_equal(y);
        x.try_not_equal(y);
        x.try_lt(y);
        x.try_le(y);
        x.try_gt(y);
        x.try_ge(y);
        n.try_bitand(k);
        n.try_bitor(k);
        n.try_bitxor(k);
        n.try_shl(k);
        n.try_shr(k);
        x.try_clamp(y, 0.5);
        x.try_cumsum(-1);
        x.try_cumprod(-1);
        x.try_cummax(-1);
        x.try_cummin(-1);
        x.try_softmax(-1);
        x.try_log_softmax(-1);
        x.try_log_sum_exp(-1);
        x.try_log_sum_exp_keepdims(-1);
        x.try_norm(2.0, 0); x.try_norm_keepdims(2.0, 0); x.try_var_corrected(1, 0); x.try_std_corrected(1, 0);
        x.try_var_corrected_keepdims(1, 0); x.try_std_corrected_keepdims(1, ..); x.try_nan_var_corrected(1, 0);
        x.try_nan_std_corrected(1, [0, 1]); x.try_nan_var_corrected_keepdims(1, 0); x.try_nan_std_corrected_keepdims(1, 0);
        x.try_matmul(y); x.try_matmul_in::<F64>(y) => x.try_matmul_in(y, DType::F64); v.try_dot(v); v.try_outer(v); x.try_kron(y); x.try_cross(y, 0);
        x.try_tensordot(y, [1], [0]); x.try_trace(0);
        row.try_conv1d(&row.slice(2, ..2), ConvOptions::new()); image.try_conv2d(&image.slice(2, ..2), ConvOptions::new());
        row.try_conv_transpose1d(&row, ConvOptions::new()); image.try_conv_transpose2d(&image, ConvOptions::new().stride([2, 1]).padding(SamePadding));
        row.try_max_pool1d(PoolOptions::new([2])); row.try_avg_pool1d(PoolOptions::new([2]));
        row.try_avg_pool1d(PoolOptions::new([2]).padding(PoolPadding::new([1]).ceil_mode(true).count_include_pad(false)));
        image.try_max_pool2d(PoolOptions::new([2, 2])); image.try_avg_pool2d(PoolOptions::new([2, 2]));
        x.try_take(k, 0); x.try_take_along_axis(&(n - 1), 0); x.try_masked_select(m); x.try_compress(&m.index_axis(1, 0), 0); x.try_nonzero(); x.try_argwhere(); x.try_flatnonzero(); x.try_scatter(&k.unsqueeze(1), y, 0); x.try_scatter_add(&k.unsqueeze(1), y, 0);
        x.try_scatter_max(&k.unsqueeze(1), y, 0); x.try_scatter_min(&k.unsqueeze(1), y, 0);
        x.try_sort(0); x.try_sort_descending(0); x.try_argsort(0); x.try_argsort_descending(0); x.try_top_k(2, 1);
        v.try_searchsorted(x) ; v.try_searchsorted_right(x); x.try_searchsorted_rows(y); x.try_searchsorted_rows_right(y); x.try_unique(); x.try_unique_counts(); x.try_unique_index(); x.try_unique_inverse();
        k.try_bincount(0); k.try_bincount_weighted(v, 4); x.try_is_close(y, 0.1, 0.01); x.try_is_in(v); x.try_interp(&k.sort(0), &k.cumsum(0)); x.try_cov(1); x.try_corrcoef();
        x.try_unfold(1, 2, 1); x.try_rot90(1, 0, 1); k.try_one_hot::<F32>(3) => k.try_one_hot(3, DType::F32); x.try_histogram(4, 0.0..=8.0); x.try_histogram_edges(&k.sort(0)); x.try_histogram_weighted(&k.sort(0), y); k.try_density(&image.flatten().slice(0, ..4));
        x.try_diff(1, 0);
        x.try_split(&[1, 2], 0); x.try_chunk(2, 1); x.try_unstack(0); x.try_concat(y, 0); x.try_pad_with([[1, 0], [0, 1]], PadMode::Edge);
        x.try_repeat_each([1, 2, 0], 0); x.try_pad([[1, 0], [0, 1]], 1.0) => x.try_pad([[1, 0], [0, 1]], 1);
        x.try_roll(1, 0); x.try_repeat(2, 0); x.try_tile([1, 2]); x.try_tril(0); x.try_triu(0); v.try_diag(0); x.try_diag_embed(0); x.try_diagonal(0, 0, 1);
        x.try_reshape([-1]); x.try_permute([-1, 0]); x.try_slice(0, 1..); x.try_slice_step(0, .., 2); x.try_slice_axes(s![0, 1..]); x.try_index_axis(0, 1);
        x.try_broadcast_to([2, 3, 3]); row.try_squeeze(0); x.try_unsqueeze(0); x.try_flip(0); x.try_contiguous(); x.try_swap_axes(0, 1);
        x.try_move_axis(0, 1); x.try_matrix_transpose(); x.transpose(); x.flatten();
        x.cast::<F16>() => x.cast(DType::F16); x.cast_saturating::<I8>() => x.try_cast_saturating(DType::I8); x.try_cast::<F64>() => x.try_cast(DType::F64);
        x.widen::<F64>() => x.widen(DType::F64);
        x.try_zeros_like(); x.try_ones_like(); x.try_full_like(1.0);
}

/// The operations that are functions, or associated ones of `DynTensor`.
const FUNCTIONS_OF_SEVERAL: &[Form] = &[
    Form {
        name: "neg",
        typed: |o| (-&o.x).results(),
        dynamic: |o| o.x.try_neg().results(),
    },
    Form {
        name: "not",
        typed: |o| (!&o.m).results(),
        dynamic: |o| o.m.try_not().results(),
    },
    Form {
        name: "select",
        typed: |o| try_select(&o.m, &o.x, &o.y).results(),
        dynamic: |o| o.m.try_select(&o.x, &o.y).results(),
    },
    Form {
        name: "einsum",
        typed: |o| try_einsum!("ij,jk->ik", &o.x, &o.y).results(),
        dynamic: |o| DynTensor::try_einsum("ij,jk->ik", &[&o.x, &o.y]).results(),
    },
    Form {
        name: "concat",
        typed: |o| try_concat(&[&o.x, &o.y], 0).results(),
        dynamic: |o| try_concat(&[&o.x, &o.y], 0).results(),
    },
    Form {
        name: "stack",
        typed: |o| try_stack(&[&o.x, &o.y], 0).results(),
        dynamic: |o| try_stack(&[&o.x, &o.y], 0).results(),
    },
];

fn forms() -> impl Iterator<Item = &'static Form> {
    FORMS.iter().chain(FUNCTIONS_OF_SEVERAL)
}

impl Form {
    /// The name of the operation, without `try_`.
    fn operation(&self) -> &'static str {
        self.name.strip_prefix("try_").unwrap_or(self.name)
    }
}

/// Names in the sources that are no operations: they read or write elements in place, make tensors from nothing, or are words of macros.
const NO_OPERATIONS: &str = "
    get set assign fill to_vec as_mut_slice view_mut slice_mut slice_step_mut slice_axes_mut index_axis_mut diagonal_mut rows rows_mut
    axis_iter axis_iter_mut zip_mut_with zeros ones full eye arange from_bytes from_fn from_slice from_vec linspace logspace scalar
    name method operator axis keepdims fold for_each from into
";

#[test]
fn every_operation_of_the_sources_is_called() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for folder in ["src/tensor", "src/ops", "src/op", "src/dynamic"] {
        fallible(&root.join(folder), &mut found);
    }
    let names = found.iter().filter_map(|name| name.strip_prefix("try_"));
    let mut names: BTreeSet<String> = names.map(str::to_owned).collect();
    let rows = ROWS.iter().copied().flatten().map(|(name, _)| *name);
    let rows = rows.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    names.extend(rows.map(str::to_owned));
    names.extend(FUNCTIONS.iter().map(|function| function.name.to_owned()));
    let called: BTreeSet<String> = forms().map(|form| form.operation().to_owned()).collect();
    let others: BTreeSet<String> = NO_OPERATIONS
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !called.contains(*name) && !others.contains(*name))
        .collect();
    assert!(missing.is_empty(), "not called: {missing:?}");
    let stale: Vec<_> = others
        .iter()
        .filter(|name| !names.contains(*name) || called.contains(*name))
        .collect();
    assert!(stale.is_empty(), "no such names: {stale:?}");
}

#[test]
fn both_types_of_tensors_give_the_same() {
    let (typed, dynamic) = (typed(), Dynamic::of(DType::F32));
    for form in forms() {
        let (a, b) = ((form.typed)(&typed), (form.dynamic)(&dynamic));
        let (a, b) = (a.expect(form.name), b.expect(form.name));
        assert_eq!(a.len(), b.len(), "{}", form.name);
        for (a, b) in a.iter().zip(&b) {
            let bits = |x: &DynTensor| (x.dtype(), x.shape().to_vec(), x.to_bytes());
            assert_eq!(bits(a), bits(b), "{}", form.name);
        }
    }
}

/// Operations that are no words of `fuse!`, and why.
const OUTSIDE_OF_FUSE: &[(&str, &str)] = &[
    (
        "add sub mul div rem bitand bitor bitxor shl shr neg not",
        "operators: `a + b`, `-a`",
    ),
    (
        "select clamp cast cast_saturating widen",
        "words that the macro reads by itself: `if a { b } else { c }`, `x.cast::<F32>()`",
    ),
    (
        "split chunk unstack nonzero top_k unique_counts unique_index unique_inverse stack einsum",
        "several tensors, or functions of several: a statement before, or `einsum!` as an operand",
    ),
    (
        "zeros_like ones_like full_like",
        "a literal broadcasts to the elements beside it",
    ),
];

#[test]
fn operations_are_words_of_fuse_or_have_a_reason() {
    let words: BTreeSet<&str> = FUSE_WORDS
        .split(|c: char| c.is_whitespace() || c == '"')
        .collect();
    let operations: BTreeSet<&str> = forms().map(Form::operation).collect();
    let listed: BTreeSet<&str> = OUTSIDE_OF_FUSE
        .iter()
        .flat_map(|(names, _)| names.split_whitespace())
        .collect();
    let outside: BTreeSet<&str> = operations.difference(&words).copied().collect();
    assert_eq!(outside, listed);
}

/// Operations that traces do not record, and why.
const UNTRACED: &[(&str, &str)] = &[
    (
        "try_masked_select try_compress try_nonzero try_argwhere try_flatnonzero try_unique try_unique_counts try_unique_index try_unique_inverse try_bincount try_bincount_weighted",
        "the shape of the result depends on elements",
    ),
    ("try_cast", "a checked cast reads the elements"),
];

#[test]
fn operations_are_recorded_or_have_a_reason() {
    let (mut untraced, mut count) = (BTreeSet::new(), 0);
    for dtype in DType::ALL.iter().copied() {
        let operands = Dynamic::of(dtype);
        for form in forms() {
            let Ok(eager) = (form.dynamic)(&operands) else {
                continue;
            };
            let inputs = operands.all().map(|x| dyn_input(x.dtype(), x.shape()));
            let run = |all: Vec<DynTensor>| (form.dynamic)(&Dynamic::of_all(all));
            match stablehlo::trace(inputs.to_vec(), run) {
                Err(_) => {
                    untraced.insert(form.name);
                }
                Ok(program) => {
                    let program = program.into_dyn();
                    let eager = eager.iter().map(|x| (x.dtype(), x.shape().to_vec()));
                    let outputs = program.outputs();
                    let recorded = outputs.iter().map(|x| (x.dtype, x.shape.clone()));
                    assert!(recorded.eq(eager), "{} of {dtype}", form.name);
                    count += 1;
                }
            }
        }
    }
    println!("{count} programs");
    let listed: BTreeSet<&str> = UNTRACED
        .iter()
        .flat_map(|(names, _)| names.split_whitespace())
        .collect();
    assert_eq!(untraced, listed);
}
