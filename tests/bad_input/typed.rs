//! The `try_` methods of `Tensor` return, as those of `DynTensor` in `hostile.rs`, for the same shapes. The calls are compiled for
//! floats and integers whose rank is known at run time, so that one copy takes all shapes, and the moves for a known rank too.

use supremum::prelude::*;
use supremum::rand::distr::StandardUniform;
use supremum::{ConvOptions, PadMode, PoolOptions, QuantileMethod, try_einsum, try_select};

use crate::Faults;
use crate::hostile::{NUMBERS, OFFSETS, hollow, small, vast};

/// Notes a call that panics. It is compiled once for all calls.
fn returns(faults: &mut Faults, call: &str, of: &[String], run: &dyn Fn()) {
    if crate::catch_unwind(&mut || run()).is_err() {
        faults.note(call, of, "a panic");
    }
}

/// Checks that calls return: expressions, and after `=>` methods that take the same arguments.
macro_rules! check {
    ($faults:ident, $x:ident; $($(=> $arguments:tt { $($method:ident)+ })? $($call:expr)?;)*) => {{
        let of = [$x.dtype().to_string(), format!("{:?}", $x.shape())];
        $(
            $($(returns($faults, stringify!($method $arguments), &of, &mut || _ = $x.$method $arguments);)+)?
            $(returns($faults, stringify!($call), &of, &mut || _ = $call);)?
        )*
    }};
}

/// Defines functions of a type: methods whose results are views or have as many elements as the tensor at least.
macro_rules! arrangements {
    ($($name:ident: $tensor:ty;)+) => {$(
        fn $name(faults: &mut Faults, x: &$tensor) {
            let rank = x.ndim();
            check! { faults, x;
                x.try_reshape([-1]); x.try_reshape([usize::MAX, 2]); x.try_reshape([isize::MIN, 1]);
                x.try_reshape(&[1_usize; 65][..]); x.try_broadcast_to([usize::MAX; 3]); x.try_broadcast_to(&[1_usize; 65][..]);
                x.try_permute([0; 65]); x.try_permute(vec![usize::MAX; rank]); x.try_permute(vec![-1; rank]);
                x.try_get(&vec![usize::MAX; rank]); x.try_get(&[0; 65]); x.clone().try_set(&vec![usize::MAX; rank], x.zero());
                x.try_slice_axes(s![..., -1]); x.try_slice_axes(s![.., 2..5;-3]); x.try_slice_axes(s![i64::MIN..i64::MAX;-2]);
                x.clone().try_view_mut().map(drop); x.clone().try_slice_axes_mut(s![..., -1]).map(drop); x.clone().try_rows_mut().map(drop); x.try_rows().map(drop);
                => () { try_matrix_transpose try_contiguous try_zeros_like try_ones_like };
            }
            for axis in [0, -1, 64, isize::MIN, isize::MAX] {
                check! { faults, x;
                    x.clone().try_axis_iter_mut(axis).map(drop); x.try_axis_iter(axis).map(drop);
                    => (axis) { try_unsqueeze try_squeeze try_flip try_unstack try_sort try_sort_descending try_argsort
                    try_argsort_descending try_cumsum try_cumprod try_cummin try_cummax };
                }
                for count in [0, 1, 1 << 57, usize::MAX] {
                    check! { faults, x;
                        x.try_split(&[count, count], axis); x.try_split(&[], axis);
                        => (count, axis) { try_top_k try_chunk try_repeat try_diff };
                    }
                }
                for offset in OFFSETS {
                    check! { faults, x;
                        x.try_diagonal(offset, axis, 0); x.try_roll(offset, axis); x.try_slice(axis, offset..);
                        x.try_slice(axis, ..=offset); x.try_slice_step(axis, .., offset); x.try_slice_step(axis, offset..1, isize::MIN);
                        x.clone().try_slice_mut(axis, offset..).map(drop); x.clone().try_slice_step_mut(axis, .., offset).map(drop);
                        x.clone().try_index_axis_mut(axis, offset).map(drop); x.clone().try_diagonal_mut(offset, axis, 1).map(drop);
                        => (axis, offset) { try_swap_axes try_move_axis try_index_axis };
                    }
                }
            }
            for offset in OFFSETS {
                check! { faults, x; x.clone().into_any().try_diag(offset); => (offset) { try_tril try_triu try_diag_embed }; }
            }
            for counts in [vec![usize::MAX; rank], vec![2; 65], vec![0; rank]] {
                check! { faults, x; x.try_tile(&counts[..]); }
            }
            check! { faults, x;
                <$tensor>::try_from_vec(vec![x.zero(); 3], &[usize::MAX; 65][..]); <$tensor>::try_from_slice(&[x.zero(); 3], x.shape());
                try_stack(&[x, x], -1); try_stack(&[x, x], isize::MAX);
                x.try_full_like(x.zero()); x.try_pad(vec![[usize::MAX, 0]; rank], x.zero());
                x.try_pad_with(vec![[usize::MAX, 0]; rank], PadMode::Wrap); x.try_repeat_each([usize::MAX; 2], 0);
                x.try_cast::<I8>(); x.try_cast::<F16>(); x.try_clamp(x, x); x.clone().try_view_mut().and_then(|mut view| view.try_assign(x)); x.clone().try_view_mut().and_then(|mut view| view.try_fill(x.zero()));
                x.clone().try_zip_mut_with(x, |_, _| ()); x.try_gt(0).and_then(|chosen| try_select(&chosen, x, x));
                => (x) { try_add try_sub try_mul try_maximum try_minimum try_equal try_not_equal try_lt try_le try_gt try_ge }; x.try_concat(x, isize::MIN); x.try_concat(x, 0);
            }
        }
    )+};
}

/// The same of methods that visit each element.
macro_rules! visits {
    ($($name:ident: $tensor:ty;)+) => {$(
        fn $name(faults: &mut Faults, x: &$tensor) {
            check! { faults, x;
                => () { try_sum try_prod try_mean try_var try_std try_min try_max try_any try_all try_argmin try_argmax try_nan_argmin try_nan_argmax try_nan_prod try_nan_sum try_nan_mean
                try_nan_var try_nan_std try_nan_min try_nan_max try_median try_nan_median try_unique try_unique_counts try_unique_index try_unique_inverse
                try_count_nonzero try_nonzero try_argwhere try_flatnonzero item try_to_vec };
                => (x) { try_div try_rem try_floor_div try_pow try_atan2 try_hypot try_log_add_exp try_copysign try_next_after try_leaky_relu try_elu try_matmul
                try_dot try_outer try_kron try_searchsorted try_searchsorted_right try_searchsorted_rows try_searchsorted_rows_right };
                x.try_masked_select(&x.gt(0)); x.try_compress(&x.gt(0).flatten(), isize::MIN); x.try_compress(&x.gt(0).flatten(), 0); x.try_histogram(3, f64::NAN..=1.0); x.try_histogram(usize::MAX, 0.0..=1.0);
                x.try_histogram_edges(x); x.try_histogram_weighted(x, x); x.try_density(x); x.cast::<I16>().try_bincount_weighted(x, usize::MAX);
                x.try_is_close(x, f64::NAN, -1.0); x.try_is_in(x); x.try_interp(x, x); x.try_cov(usize::MAX); x.try_corrcoef();
                x.try_unfold(0, usize::MAX, 1); x.try_unfold(-1, 1, usize::MAX); x.try_rot90(isize::MIN, 0, isize::MAX);
                x.try_matmul_in::<F64>(x); x.clone().try_as_mut_slice().map(drop);
                try_einsum!("ij,jk", x, x); try_einsum!("ii", x); try_einsum!("...,...->...", x, x);
                x.try_tensordot(x, .., ..); x.to_string();
                x.cast::<I16>().try_bincount(0); x.cast::<I16>().try_bincount(usize::MAX);
                x.cast::<I16>().try_one_hot::<F32>(3); x.cast::<I16>().try_one_hot::<F32>(usize::MAX);
            }
            for axis in [0, 1, -1, isize::MIN] {
                let indices = Tensor::<I64>::zeros(&[0][..]);
                let none: [isize; 0] = [];
                check! { faults, x;
                    => (axis) { try_sum_axis try_prod_axis try_mean_axis try_var_axis try_std_axis try_min_axis try_max_axis try_any_axis
                    try_all_axis try_argmin_axis try_argmax_axis try_nan_argmin_axis try_nan_argmax_axis try_nan_prod_axis try_nan_sum_axis try_nan_mean_axis try_nan_var_axis try_nan_std_axis
                    try_nan_min_axis try_nan_max_axis try_count_nonzero_axis try_median_axis try_sum_keepdims try_prod_keepdims
                    try_mean_keepdims try_var_keepdims try_std_keepdims try_min_keepdims try_max_keepdims try_any_keepdims
                    try_all_keepdims try_argmin_keepdims try_argmax_keepdims try_nan_argmin_keepdims try_nan_argmax_keepdims try_nan_prod_keepdims try_nan_sum_keepdims try_nan_mean_keepdims
                    try_nan_var_keepdims try_nan_std_keepdims try_nan_min_keepdims try_nan_max_keepdims try_count_nonzero_keepdims
                    try_median_keepdims try_nan_median_axis try_nan_median_keepdims try_softmax try_log_softmax try_log_sum_exp try_log_sum_exp_keepdims };
                    => (usize::MAX, axis) { try_var_corrected try_std_corrected try_nan_var_corrected try_nan_std_corrected
                        try_var_corrected_keepdims try_std_corrected_keepdims try_nan_var_corrected_keepdims try_nan_std_corrected_keepdims };
                }
                check! { faults, x;
                    x.try_sum_axis(&none[..]); x.try_sum_axis(&[axis; 65][..]); x.try_mean_keepdims(..); x.try_std_keepdims(&[axis, axis][..]);
                    x.try_take(&indices, axis); x.try_take([i64::MIN, i64::MAX], axis); x.try_take_along_axis(&x.cast::<I64>(), axis);
                    x.try_take_along_axis([i64::MIN], axis); x.try_scatter([i64::MAX], x, axis); x.try_scatter_add(&x.cast::<I64>(), x, axis);
                    x.try_scatter_max(&x.cast::<I64>(), x, axis); x.try_scatter_min([i64::MIN], x, axis);
                    x.try_cross(x, axis); x.try_tensordot(x, axis, axis); x.try_tensordot(x, &[axis, axis][..], &[axis][..]);
                }
                for number in NUMBERS {
                    check! { faults, x;
                        => (number, QuantileMethod::Nearest, axis) { try_quantile_axis try_quantile_keepdims try_nan_quantile_axis try_nan_quantile_keepdims };
                        => (number, axis) { try_norm try_norm_keepdims };
                    }
                }
            }
            for number in NUMBERS {
                check! { faults, x; x.try_quantile(number, QuantileMethod::Linear); x.try_nan_quantile(number, QuantileMethod::Lower); x.approx_eq(x, number, number); <$tensor>::try_arange(0, 1, number); }
            }
            for offset in OFFSETS {
                check! { faults, x; x.try_trace(offset); }
            }
            let pool = |size| PoolOptions::new([size; 2]);
            let conv = ConvOptions::<2>::new;
            check! { faults, x;
                x.try_max_pool2d(pool(0)); x.try_avg_pool2d(pool(usize::MAX)); x.try_max_pool2d(pool(1).stride([usize::MAX; 2]));
                x.try_max_pool1d(PoolOptions::new([1])); x.try_avg_pool1d(PoolOptions::new([3]));
                x.try_conv2d(x, conv()); x.try_conv2d(x, conv().groups(0)); x.try_conv2d(x, conv().stride([usize::MAX; 2]));
                x.try_conv2d(x, conv().dilation([usize::MAX; 2])); x.try_conv1d(x, ConvOptions::new());
                x.try_conv_transpose2d(x, conv().stride([usize::MAX; 2])); x.try_conv_transpose2d(x, conv().dilation([usize::MAX; 2]));
                x.try_conv_transpose1d(x, ConvOptions::new().stride([3]));
            }
        }
    )+};
}

/// The zero of a tensor's dtype.
trait Zero {
    type Element;
    fn zero(&self) -> Self::Element;
}

impl<D: StaticDType, N: Rank> Zero for Tensor<D, N> {
    type Element = D::Element;
    fn zero(&self) -> D::Element {
        Tensor::<D, Rank1>::zeros([1])[0]
    }
}

arrangements! {
    arrange_floats: Tensor<F32>;
    arrange_integers: Tensor<I8>;
    arrange_matrices: Tensor<BF16, Rank2>;
}

visits! {
    visit_floats: Tensor<F32>;
    visit_integers: Tensor<I8>;
}

/// The tensors of a list that are of this rank.
fn of_rank<D: StaticDType, N: Rank>(all: Vec<DynTensor>) -> Vec<Tensor<D, N>> {
    all.into_iter().filter_map(|x| x.typed().ok()).collect()
}

#[test]
fn tensors_of_all_shapes_cause_no_panic() {
    let mut faults = Faults::default();
    for x in of_rank(small(DType::F32))
        .into_iter()
        .chain(of_rank(hollow(DType::F32)))
    {
        arrange_floats(&mut faults, &x);
        visit_floats(&mut faults, &x);
    }
    for x in of_rank(small(DType::I8))
        .into_iter()
        .chain(of_rank(hollow(DType::I8)))
    {
        arrange_integers(&mut faults, &x);
        visit_integers(&mut faults, &x);
    }
    for x in of_rank(small(DType::BF16))
        .into_iter()
        .chain(of_rank(hollow(DType::BF16)))
    {
        arrange_matrices(&mut faults, &x);
    }
}

#[test]
fn typed_views_larger_than_memory_cause_no_panic() {
    let mut faults = Faults::default();
    for x in of_rank(vast(DType::F32)) {
        arrange_floats(&mut faults, &x);
    }
    for x in of_rank(vast(DType::I8)) {
        arrange_integers(&mut faults, &x);
    }
    for x in of_rank(vast(DType::BF16)) {
        arrange_matrices(&mut faults, &x);
    }
}

#[test]
fn bits_and_complex_numbers_cause_no_panic() {
    let faults = &mut Faults::default();
    for x in of_rank::<I8, AnyRank>([small(DType::I8), hollow(DType::I8), vast(DType::I8)].concat())
    {
        let x = &x;
        check! { faults, x; => (x) { try_bitand try_bitor try_bitxor try_shl try_shr }; x.try_shl(100); x.try_rem(0); x.try_floor_div(0); x.try_pow(-1); }
    }
    for x in of_rank::<C64, AnyRank>([small(DType::C64), hollow(DType::C64)].concat()) {
        let x = &x;
        check! { faults, x;
            x.try_cast::<F32>(); x.try_sum_axis(isize::MIN); x.try_norm(f64::NAN, ..); x.try_cumsum(isize::MAX);
            => () { try_sum try_prod try_mean try_var try_std };
            => (x) { try_add try_div try_pow try_matmul try_dot try_outer try_equal };
        }
    }
}

#[test]
fn typed_constructors_cause_no_panic() {
    type Any = Tensor<F16>;
    type Vector = Tensor<I8, Rank1>;
    let faults = &mut Faults::default();
    let rng = std::cell::RefCell::new(rand_pcg::Pcg32::new(1, 1));
    let x = &Any::zeros(&[2][..]);
    check! { faults, x;
        Any::try_zeros(&[usize::MAX; 2][..]); Any::try_ones(&[1; 65][..]); Any::try_full(&[0, usize::MAX][..], f16::NAN);
        Any::try_scalar(f16::NAN); Any::try_from_fn(&[usize::MAX, 2][..], |_| f16::NAN); Any::try_eye(usize::MAX); Vector::try_linspace(0.0, 1.0, usize::MAX);
        Any::try_random(&[usize::MAX, 2][..], StandardUniform, &mut *rng.borrow_mut());
        Vector::try_permutation(usize::MAX, &mut *rng.borrow_mut()); Vector::try_permutation(300, &mut *rng.borrow_mut());
        x.clone().try_shuffle(isize::MIN, &mut *rng.borrow_mut());
    }
    for a in NUMBERS {
        for b in NUMBERS {
            check! { faults, x;
                Any::try_linspace(a, b, 3); Any::try_logspace(b, a, 3); Tensor::<F32>::try_normal(&[2][..], a as f32, b as f32, &mut *rng.borrow_mut());
                Tensor::<F32>::try_uniform(&[2][..], a as f32..b as f32, &mut *rng.borrow_mut());
                Tensor::<Bool>::try_bernoulli(&[2][..], b, &mut *rng.borrow_mut());
                Tensor::<I8>::try_integers(&[2][..], a as i8..b as i8, &mut *rng.borrow_mut());
            }
        }
    }
}
