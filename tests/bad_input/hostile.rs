//! The `try_` methods of [`DynTensor`] return, with a result or an error, for tensors of each dtype and of shapes that loops and
//! allocations could stumble on: without elements, of the highest rank, and of views larger than memory.

use supremum::__private::FUNCTIONS;
use supremum::prelude::*;
use supremum::rand::distr::StandardUniform;
use supremum::{ConvOptions, PadMode, PoolOptions, QuantileMethod, SamePadding};

use crate::Faults;

/// A size of views that no memory holds. An array of any dtype may have this shape.
const VAST: usize = 1 << 57;

/// Numbers at the ends of their types.
pub(crate) const NUMBERS: [f64; 5] = [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX];
pub(crate) const OFFSETS: [isize; 4] = [0, -1, isize::MIN, isize::MAX];

fn ones(dtype: DType, shape: &[usize]) -> DynTensor {
    DynTensor::ones(dtype, shape).expect("a few elements")
}

fn view(dtype: DType, from: &[usize], to: &[usize]) -> DynTensor {
    ones(dtype, from).try_broadcast_to(to).expect("a view")
}

/// Tensors of few elements or none.
pub(crate) fn small(dtype: DType) -> Vec<DynTensor> {
    let shapes: [&[usize]; 11] = [
        &[],
        &[0],
        &[1],
        &[3],
        &[2, 3],
        &[3, 3],
        &[0, 3],
        &[2, 0, 3],
        &[1, 2, 3, 2],
        &[1, 0, 2, 2],
        &[1; 8],
    ];
    shapes.map(|shape| ones(dtype, shape)).into()
}

/// Views without elements, but with axes that are too long to visit.
pub(crate) fn hollow(dtype: DType) -> Vec<DynTensor> {
    vec![
        view(dtype, &[0, 1], &[0, VAST]),
        view(dtype, &[1, 0], &[VAST, 0]),
        view(dtype, &[2, 0, 1], &[2, 0, VAST / 2]),
    ]
}

/// Views of too many elements to visit.
pub(crate) fn vast(dtype: DType) -> Vec<DynTensor> {
    vec![
        view(dtype, &[1], &[VAST]),
        view(dtype, &[1, 3], &[VAST / 4, 3]),
        view(dtype, &[2, 1], &[2, VAST / 2]),
    ]
}

/// Checks that calls return.
macro_rules! returns {
    ($faults:ident, $x:ident; $($call:expr;)+) => {$(
        if crate::catch_unwind(&mut || _ = $call).is_err() {
            $faults.note(stringify!($call), &[$x.dtype().to_string(), format!("{:?}", $x.shape())], "a panic");
        }
    )+};
}

/// Checks methods that take nothing or the same arguments.
macro_rules! each_returns {
    ($faults:ident, $x:ident, $arguments:tt; $($method:ident)+) => {
        returns! { $faults, $x; $($x.$method $arguments;)+ }
    };
}

/// Calls methods whose results are views, or have as many elements as the tensor at least.
fn arrangements(faults: &mut Faults, x: &DynTensor) {
    let rank = x.ndim();
    returns! { faults, x;
        x.try_reshape([-1]); x.try_reshape([0]); x.try_reshape([usize::MAX, 2]); x.try_reshape([-1, 0]);
        x.try_reshape([isize::MIN, 1]); x.try_reshape(&[1_usize; 65][..]);
        x.try_broadcast_to([usize::MAX; 3]); x.try_broadcast_to(&[1_usize; 65][..]);
        x.try_permute([0; 65]); x.try_permute(vec![usize::MAX; rank]);
        x.try_tile(vec![usize::MAX; rank]); x.try_tile([2; 65]); x.try_pad(vec![[usize::MAX, 0]; rank], 1);
        x.try_pad_with(vec![[usize::MAX, 0]; rank], PadMode::Reflect); x.try_pad_with(vec![[0, 2]; rank], PadMode::Symmetric);
        x.try_repeat_each([usize::MAX; 2], 0); x.try_repeat_each([0; 0], -1);
        x.try_get(&vec![usize::MAX; rank]); x.try_get(&[0; 65]);
        x.clone().try_set(&vec![usize::MAX; rank], 1); x.clone().try_set(&vec![0; rank], f64::NAN);
        x.try_slice_axes(s![..., -1]); x.try_slice_axes(s![.., 2..5;-3]); x.try_slice_axes(s![i64::MIN..i64::MAX;-2]);
        x.to_bytes(); x.try_to_vec::<F32>(); x.clone().try_as_mut_slice::<Bool>().map(drop); x.map(|x: f32| x);
        x.clone().try_zip_mut_with(x, |_: &mut f16, _: f16| ()); x.clone().map_inplace(|x: u8| x); x.clone().iter_mut::<U8>().map(drop);
        x.try_matrix_transpose(); x.try_contiguous(); x.clone().try_view_mut().map(drop);
        x.clone().try_rows_mut().map(drop); x.try_rows().map(drop);
    }
    for axis in [0, -1, 64, isize::MIN, isize::MAX] {
        each_returns! { faults, x, (axis);
            try_unsqueeze try_squeeze try_flip try_unstack try_sort try_sort_descending try_argsort try_argsort_descending try_cumsum
            try_cumprod try_cummin try_cummax
        }
        returns! { faults, x;
            x.clone().try_axis_iter_mut(axis).map(drop); x.try_axis_iter(axis).map(drop);
        }
        for count in [0, 1, VAST, usize::MAX] {
            returns! { faults, x;
                x.try_top_k(count, axis); x.try_chunk(count, axis); x.try_repeat(count, axis); x.try_split(&[count, count], axis);
                x.try_split(&[], axis); x.try_diff(count, axis); x.try_one_hot(count, DType::F32);
            }
        }
        for offset in OFFSETS {
            returns! { faults, x;
                x.try_diagonal(offset, axis, 0); x.try_swap_axes(axis, offset); x.try_move_axis(axis, offset);
                x.try_roll(offset, axis); x.try_index_axis(axis, offset); x.try_slice(axis, offset..); x.try_slice(axis, ..=offset);
                x.try_slice_step(axis, .., offset); x.try_slice_step(axis, offset..1, isize::MIN);
            }
        }
    }
    for offset in OFFSETS {
        each_returns!(faults, x, (offset); try_tril try_triu try_diag try_diag_embed);
    }
    for number in NUMBERS {
        returns! { faults, x;
            x.try_full_like(number); x.try_add(number); x.try_div(number); x.try_floor_div(number); x.try_rem(number);
            x.try_pow(number); x.try_shl(number); x.try_maximum(number); x.try_lt(number); x.try_clamp(number, -number);
            x.try_select(number, 1); x.try_hypot(number); x.try_copysign(number); x.try_next_after(number); x.try_leaky_relu(number); x.try_elu(number);
        }
    }
    for integer in [0, -1, i64::MIN, i64::MAX] {
        returns! { faults, x;
            x.try_full_like(integer); x.try_mul(integer); x.try_div(integer); x.try_floor_div(integer); x.try_rem(integer);
            x.try_pow(integer); x.try_shl(integer); x.try_shr(integer); x.try_bitxor(integer); x.try_ge(integer);
        }
    }
    for to in DType::ALL.iter().copied() {
        returns!(faults, x; x.try_cast(to); x.try_cast_saturating(to););
    }
    for function in FUNCTIONS {
        returns!(faults, x; (function.name, (function.call)(x)););
    }
    each_returns!(faults, x, (); try_neg try_not try_zeros_like try_ones_like transpose);
    each_returns! { faults, x, (x);
        try_sub try_matmul try_outer try_kron try_equal try_not_equal try_le try_gt try_atan2 try_log_add_exp try_bitand
    }
    returns!(faults, x; x.try_concat(x, isize::MIN); x.try_concat(x, 0););
}

/// Calls methods that visit each element.
fn visits(faults: &mut Faults, x: &DynTensor) {
    each_returns! { faults, x, ();
        try_sum try_prod try_mean try_var try_std try_min try_max try_any try_all try_argmin try_argmax try_nan_argmin try_nan_argmax try_nan_prod try_nan_sum try_nan_mean
        try_nan_var try_nan_std try_nan_min try_nan_max try_median try_nan_median try_unique try_unique_counts try_unique_index try_unique_inverse try_count_nonzero try_nonzero
        try_argwhere try_flatnonzero item
    }
    for axis in [0, 1, -1, isize::MIN] {
        each_returns! { faults, x, (axis);
            try_sum_axis try_prod_axis try_mean_axis try_var_axis try_std_axis try_min_axis try_max_axis try_any_axis try_all_axis
            try_argmin_axis try_argmax_axis try_nan_argmin_axis try_nan_argmax_axis try_nan_prod_axis try_nan_sum_axis try_nan_mean_axis try_nan_var_axis try_nan_std_axis try_nan_min_axis
            try_nan_max_axis try_count_nonzero_axis try_median_axis try_nan_median_axis try_nan_median_keepdims try_sum_keepdims try_prod_keepdims try_mean_keepdims
            try_var_keepdims try_std_keepdims try_min_keepdims try_max_keepdims try_any_keepdims try_all_keepdims try_argmin_keepdims
            try_argmax_keepdims try_nan_argmin_keepdims try_nan_argmax_keepdims try_nan_prod_keepdims try_nan_sum_keepdims try_nan_mean_keepdims try_nan_var_keepdims try_nan_std_keepdims
            try_nan_min_keepdims try_nan_max_keepdims try_count_nonzero_keepdims try_median_keepdims try_softmax try_log_softmax
            try_log_sum_exp try_log_sum_exp_keepdims
        }
        let none: [isize; 0] = [];
        let indices = ones(DType::I64, &[0]);
        returns! { faults, x;
            x.try_sum_axis(none); x.try_sum_axis([axis; 65]); x.try_mean_keepdims(..);
            x.try_var_corrected(usize::MAX, axis); x.try_std_corrected(usize::MAX, none);
            x.try_var_corrected_keepdims(usize::MAX, axis); x.try_std_corrected_keepdims(1, ..); x.try_nan_var_corrected(usize::MAX, axis);
            x.try_nan_std_corrected(usize::MAX, axis); x.try_nan_var_corrected_keepdims(2, axis); x.try_nan_std_corrected_keepdims(2, none);
            x.try_take(&indices, axis); x.try_take([i64::MIN, i64::MAX], axis); x.try_take_along_axis(x, axis);
            x.try_take_along_axis([i64::MIN], axis); x.try_scatter([i64::MAX], x, axis); x.try_scatter_add(x, x, axis);
            x.try_scatter_max(x, x, axis); x.try_scatter_min([i64::MIN], x, axis);
            x.try_cross(x, axis); x.try_tensordot(x, axis, axis); x.try_tensordot(x, none, none); x.try_tensordot(x, .., ..);
            x.try_tensordot(x, [axis, axis], [axis]); try_concat(&[x, x, x], axis); try_stack(&[x, x], axis);
        }
        for number in NUMBERS {
            returns! { faults, x;
                x.try_quantile_axis(number, QuantileMethod::Nearest, axis);
                x.try_quantile_keepdims(number, QuantileMethod::Midpoint, axis); x.try_nan_quantile_axis(number, QuantileMethod::Nearest, axis);
                x.try_nan_quantile_keepdims(number, QuantileMethod::Linear, axis); x.try_norm(number, axis); x.try_norm_keepdims(number, ..);
            }
        }
    }
    for number in NUMBERS {
        returns! { faults, x;
            x.try_histogram(3, -number..=number); x.try_histogram_edges(x); x.try_histogram_weighted(x, x); x.try_density(x); x.try_bincount_weighted(x, 1); x.try_bincount_weighted(x, usize::MAX); x.try_is_close(x, number, number); x.try_is_in(x); x.try_interp(x, x); x.try_cov(usize::MAX); x.try_corrcoef();
            x.try_unfold(0, usize::MAX, 1); x.try_unfold(-1, 1, usize::MAX); x.try_unfold(isize::MIN, 0, 0); x.try_rot90(isize::MIN, 0, 1); x.try_rot90(isize::MAX, isize::MIN, 0); x.try_quantile(number, QuantileMethod::Linear); x.try_nan_quantile(number, QuantileMethod::Linear); x.approx_eq(x, number, number);
        }
    }
    let equations = [
        "",
        "->",
        "i",
        "ii->i",
        "i->ii",
        "ij,jk",
        "...",
        "a...->...a",
        "i,i->",
        "ij->k",
        "é",
        "i->",
        ",,,",
        "i,i,i->i",
    ];
    for equation in equations {
        returns! { faults, x;
            DynTensor::try_einsum(equation, &[x]); DynTensor::try_einsum(equation, &[x, x]); DynTensor::try_einsum(equation, &[]);
            DynTensor::try_einsum(equation, &[x, x, x]);
        }
    }
    let pool = |size| PoolOptions::new([size; 2]);
    let conv = ConvOptions::<2>::new;
    returns! { faults, x;
        x.try_dot(x); x.try_masked_select(x); x.try_compress(x, 0); x.try_compress(x, isize::MIN); x.try_searchsorted(x); x.try_searchsorted_right(x); x.try_searchsorted_rows(x); x.try_searchsorted_rows_right(x); x.try_bincount(0);
        x.try_matmul_in(x, DType::I32); x.try_matmul_in(x, DType::F64); x.try_matmul_in(x, DType::Bool);
        x.try_max_pool2d(pool(0)); x.try_max_pool2d(pool(1)); x.try_avg_pool2d(pool(usize::MAX));
        x.try_max_pool2d(pool(1).stride([usize::MAX; 2])); x.try_max_pool1d(PoolOptions::new([1])); x.try_avg_pool1d(PoolOptions::new([3]));
        x.try_conv2d(x, conv()); x.try_conv2d(x, conv().groups(0)); x.try_conv2d(x, conv().groups(2).padding([1, 1]));
        x.try_conv2d(x, conv().stride([usize::MAX; 2])); x.try_conv2d(x, conv().dilation([usize::MAX; 2]));
        x.try_conv_transpose2d(x, conv()); x.try_conv_transpose2d(x, conv().groups(0)); x.try_conv_transpose2d(x, conv().padding([[1, 0], [0, usize::MAX]]));
        x.try_conv_transpose2d(x, conv().stride([usize::MAX; 2])); x.try_conv_transpose2d(x, conv().dilation([usize::MAX; 2]).padding(SamePadding));
        x.try_conv_transpose1d(x, ConvOptions::new().stride([3]).padding([usize::MAX])); x.try_conv2d(x, conv().padding(SamePadding).stride([0; 2]));
        x.try_conv1d(x, ConvOptions::new()); x.try_trace(isize::MIN); x.try_trace(isize::MAX); x.to_string(); format!("{x:?}");
    }
    for other in [
        DType::Bool,
        DType::I8,
        DType::U64,
        DType::F8E4M3FN,
        DType::F32,
        DType::C64,
    ] {
        let y = ones(other, &[1]);
        each_returns! { faults, x, (&y);
            try_add try_sub try_mul try_div try_floor_div try_rem try_pow try_bitor try_shl try_shr try_atan2 try_hypot try_minimum
            try_equal try_lt try_matmul try_dot try_outer try_kron try_masked_select try_searchsorted try_searchsorted_rows
        }
        returns! { faults, x;
            x.try_select(&y, x); x.try_clamp(&y, x); x.try_compress(&y, -1); x.try_cross(&y, 0); x.clone().try_view_mut().and_then(|mut view| view.try_assign(&y));
        }
    }
}

#[test]
fn tensors_of_any_dtype_and_shape_cause_no_panic() {
    let mut faults = Faults::default();
    for dtype in DType::ALL.iter().copied() {
        for x in small(dtype) {
            arrangements(&mut faults, &x);
            visits(&mut faults, &x);
        }
    }
}

#[test]
fn views_larger_than_memory_cause_no_panic() {
    let mut faults = Faults::default();
    for dtype in [
        DType::Bool,
        DType::I8,
        DType::I64,
        DType::BF16,
        DType::F32,
        DType::C128,
    ] {
        for x in vast(dtype) {
            arrangements(&mut faults, &x);
        }
        for x in hollow(dtype) {
            arrangements(&mut faults, &x);
            visits(&mut faults, &x);
        }
    }
}

#[test]
fn constructors_of_any_dtype_cause_no_panic() {
    let mut faults = Faults::default();
    let mut rng = rand_pcg::Pcg32::new(1, 1);
    let mut rng = &mut rng;
    for dtype in DType::ALL.iter().copied() {
        let x = ones(dtype, &[2]);
        for a in NUMBERS {
            for b in NUMBERS
                .into_iter()
                .chain([-0.0, f64::MIN, f64::MIN_POSITIVE])
            {
                returns! { faults, x;
                    DynTensor::try_uniform(dtype, [2], a..b, &mut rng); DynTensor::try_normal(dtype, [2], a, b, &mut rng);
                    DynTensor::try_bernoulli([2], b, &mut rng); DynTensor::try_arange(dtype, a, b, 1.0); DynTensor::try_arange(dtype, 0.0, a, b);
                    DynTensor::try_linspace(dtype, a, b, 3); DynTensor::try_logspace(dtype, b, a, 3);
                }
            }
        }
        for a in [0, 1, -1, i64::MIN, i64::MAX] {
            for b in [0, 5, -1, i64::MIN, i64::MAX] {
                returns! { faults, x;
                    DynTensor::try_integers(dtype, [2], a..b, &mut rng);
                    DynTensor::try_arange(dtype, 0, (a % 100) as f64, b as f64);
                }
            }
        }
        for bytes in [&[0xff_u8; 32][..], &[2; 3], &[]] {
            returns! { faults, x;
                DynTensor::try_from_bytes(dtype, [2], bytes); DynTensor::try_from_bytes(dtype, [0, VAST], bytes);
                DynTensor::try_from_bytes(dtype, [usize::MAX, 2], bytes);
            }
        }
        returns! { faults, x;
            DynTensor::try_scalar(dtype, f64::NAN); DynTensor::try_scalar(dtype, i64::MIN);
            DynTensor::try_from_vec(vec![true; 3], [usize::MAX; 65]); DynTensor::try_from_vec(vec![0_u8; 3], [0, VAST]);
            DynTensor::try_from_slice(&[0.5; 3], [usize::MAX, 3]); DynTensor::try_from_fn([usize::MAX, 2], |_| 0.5);
            DynTensor::try_zeros(dtype, [usize::MAX; 2]); DynTensor::try_ones(dtype, [1_usize; 65]); DynTensor::try_full(dtype, [0, usize::MAX], f64::NAN);
            DynTensor::try_full(dtype, [2], i64::MIN); DynTensor::try_eye(dtype, usize::MAX); DynTensor::try_linspace(dtype, 0.0, 1.0, usize::MAX);
            DynTensor::try_random::<f64, _>(dtype, [usize::MAX, 2], &StandardUniform, &mut rng);
            DynTensor::try_random::<f64, _>(dtype, [2], &StandardUniform, &mut rng); DynTensor::try_permutation(dtype, usize::MAX, &mut rng); DynTensor::try_permutation(dtype, 300, &mut rng);
            x.try_shuffle(isize::MIN, &mut rng);
        }
    }
}

/// Calls the methods for writing of a tensor and of its views.
#[test]
fn views_for_writing_cause_no_panic() {
    let mut faults = Faults::default();
    for dtype in DType::ALL.iter().copied() {
        for x in small(dtype)
            .into_iter()
            .chain(hollow(dtype))
            .chain(vast(dtype))
        {
            for axis in [0, 1, -1, isize::MIN, isize::MAX] {
                for offset in OFFSETS {
                    returns! { faults, x;
                        x.clone().try_slice_mut(axis, offset..).map(drop); x.clone().try_slice_step_mut(axis, .., offset).map(drop);
                        x.clone().try_index_axis_mut(axis, offset).map(drop); x.clone().try_diagonal_mut(offset, axis, 1).map(drop);
                    }
                }
            }
            for number in NUMBERS {
                returns! { faults, x;
                    x.clone().try_view_mut().and_then(|mut view| view.try_fill(number));
                    x.clone().try_slice_axes_mut(s![..., -1]).and_then(|mut view| view.try_assign(&x));
                }
            }
        }
    }
}
