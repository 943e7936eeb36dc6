//! Supremum's code of each operation of `cases.txt`.

use supremum::{
    ConvOptions, DType, DynTensor, Error, F32, Jax, PadMode, PoolOptions, QuantileMethod, Rank1,
    Rank2, Tensor, Torch, fuse, try_concat, try_stack,
};

/// An operation on the operands of a case.
pub type Run = fn(&[DynTensor]) -> Result<DynTensor, Error>;

pub fn operation(name: &str) -> Option<Run> {
    OPERATIONS
        .iter()
        .find(|(listed, _)| *listed == name)
        .map(|(_, run)| *run)
}

/// Makes the table: functions without arguments by their names, operations on two operands, and others by their code.
macro_rules! operations {
    (
        unary: $($unary:ident)*;
        reductions: $($reduction:ident $try_reduction:ident)*;
        binary: $($binary:ident $try_binary:ident)*;
        casts: $($cast:ident $to:ident)*;
        others: |$x:ident| $($other:ident: $code:expr;)*
    ) => {
        const OPERATIONS: &[(&str, Run)] = &[
            $((stringify!($unary), |x| x[0].$unary()),)*
            $((stringify!($reduction), |x| x[0].$try_reduction()),)*
            $((stringify!($binary), |x| x[0].$try_binary(&x[1])),)*
            $((stringify!($cast), |x| Ok(x[0].cast(DType::$to))),)*
            $((stringify!($other), |$x| $code),)*
        ];
    };
}

operations! {
    unary: sqrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid relu gelu
        gelu_tanh silu softplus erf erfc rsqrt cbrt round sign floor ceil trunc recip abs is_nan is_finite is_sign_negative;
    reductions: sum try_sum prod try_prod mean try_mean var try_var std try_std min try_min max try_max any try_any all try_all
        argmax try_argmax argmin try_argmin nan_sum try_nan_sum nan_max try_nan_max nan_mean try_nan_mean
        count_nonzero try_count_nonzero contiguous try_contiguous unique try_unique argwhere try_argwhere neg try_neg not try_not
        median try_median;
    binary: add try_add sub try_sub mul try_mul div try_div rem try_rem floor_div try_floor_div bitand try_bitand bitxor try_bitxor
        shl try_shl shr try_shr atan2 try_atan2 minimum try_minimum maximum try_maximum hypot try_hypot
        log_add_exp try_log_add_exp copysign try_copysign next_after try_next_after pow try_pow equal try_equal lt try_lt
        matmul try_matmul dot try_dot outer try_outer kron try_kron searchsorted try_searchsorted is_in try_is_in
        masked_select try_masked_select;
    casts: to_F32 F32 to_F64 F64 to_BF16 BF16 to_F16 F16 to_I8 I8 to_I32 I32 to_I64 I64 to_Bool Bool to_C64 C64;
    others: |x|
        conj: Ok(x[0].conj());
        rem_scalar: x[0].try_rem(7);
        floor_div_scalar: x[0].try_floor_div(7);
        square: x[0].try_pow(2);
        cube: x[0].try_pow(3);
        pow_scalar: x[0].try_pow(2.7);
        lt_scalar: x[0].try_lt(1);
        add_scalar: x[0].try_add(1);
        clamp: x[0].try_clamp(-1, 1);
        is_close: x[0].try_is_close(&x[1], 1e-5, 1e-8);
        lerp: {
            let [a, b, c] = [0, 1, 2].map(|i| x[i].typed::<F32, Rank1, Torch>());
            let (a, b, c) = (a?, b?, c?);
            let out: Tensor<F32, Rank1, Torch> = fuse!(a + (b - a) * c);
            Ok(out.into_dyn())
        };
        sum_0: x[0].try_sum_axis(0);
        sum_1: x[0].try_sum_axis(1);
        sum_02: x[0].try_sum_axis([0, 2]);
        sum_12: x[0].try_sum_axis([1, 2]);
        sum_permuted: x[0].try_permute([2, 0, 1])?.try_sum_axis(1);
        mean_0: x[0].try_mean_axis(0);
        mean_1: x[0].try_mean_axis(1);
        mean_02: x[0].try_mean_axis([0, 2]);
        var_0: x[0].try_var_axis(0);
        var_1: x[0].try_var_axis(1);
        var_02: x[0].try_var_axis([0, 2]);
        prod_0: x[0].try_prod_axis(0);
        prod_1: x[0].try_prod_axis(1);
        max_0: x[0].try_max_axis(0);
        max_1: x[0].try_max_axis(1);
        max_02: x[0].try_max_axis([0, 2]);
        max_permuted: x[0].try_permute([2, 0, 1])?.try_max_axis(1);
        any_0: x[0].try_any_axis(0);
        any_1: x[0].try_any_axis(1);
        argmax_0: x[0].try_argmax_axis(0);
        argmax_1: x[0].try_argmax_axis(1);
        count_nonzero_1: x[0].try_count_nonzero_axis(1);
        norm_1: x[0].try_norm(2.0, 1);
        cumsum: x[0].try_cumsum(0);
        cumsum_0: x[0].try_cumsum(0);
        cumsum_1: x[0].try_cumsum(1);
        cumprod: x[0].try_cumprod(0);
        cumprod_1: x[0].try_cumprod(1);
        cummax: x[0].try_cummax(0);
        cummax_0: x[0].try_cummax(0);
        cummax_1: x[0].try_cummax(1);
        diff: x[0].try_diff(1, 0);
        sort: x[0].try_sort(0);
        sort_0: x[0].try_sort(0);
        sort_1: x[0].try_sort(1);
        argsort: x[0].try_argsort(0);
        argsort_0: x[0].try_argsort(0);
        argsort_1: x[0].try_argsort(1);
        top_10: x[0].try_top_k(10, 0).map(|(elements, _)| elements);
        top_10_1: x[0].try_top_k(10, 1).map(|(elements, _)| elements);
        top_1000: x[0].try_top_k(1000, 0).map(|(elements, _)| elements);
        median_0: x[0].try_median_axis(0);
        median_1: x[0].try_median_axis(1);
        quantile: x[0].try_quantile(0.9, QuantileMethod::Linear);
        quantile_1: x[0].try_quantile_axis(0.9, QuantileMethod::Linear, 1);
        unique_inverse: x[0].try_unique_inverse().map(|(_, inverse)| inverse);
        unique_counts: x[0].try_unique_counts().map(|(_, counts)| counts);
        bincount: x[0].try_bincount(0);
        histogram: x[0].try_histogram(100, -4.0..=4.0);
        interp: x[0].try_interp(&x[1], &x[2]);
        permuted_copy: x[0].try_permute([2, 0, 1])?.try_contiguous();
        permuted_copy_021: x[0].try_permute([0, 2, 1])?.try_contiguous();
        permuted_copy_102: x[0].try_permute([1, 0, 2])?.try_contiguous();
        channels_first: x[0].try_permute([2, 0, 1])?.try_contiguous();
        channels_last: x[0].try_permute([1, 2, 0])?.try_contiguous();
        broadcast_copy: x[0].try_broadcast_to([512, 512])?.try_contiguous();
        every_second: x[0].try_slice_step(1, .., 2)?.try_contiguous();
        concat_0: try_concat(&[&x[0], &x[1]], 0);
        concat_1: try_concat(&[&x[0], &x[1]], 1);
        concat_many: try_concat(&[&x[0]; 256], 0);
        stack_0: try_stack(&[&x[0], &x[1]], 0);
        stack_1: try_stack(&[&x[0], &x[1]], 1);
        pad: x[0].try_pad([[1, 1], [1, 1]], 0);
        pad_reflect: x[0].try_pad_with([[2, 2], [2, 2]], PadMode::Reflect);
        roll_0: x[0].try_roll(100, 0);
        roll_1: x[0].try_roll(100, 1);
        repeat_0: x[0].try_repeat(4, 0);
        repeat_1: x[0].try_repeat(4, 1);
        tile: x[0].try_tile([4, 1]);
        tile_1: x[0].try_tile([1, 64]);
        flip: x[0].try_flip(0)?.try_contiguous();
        flip_0: x[0].try_flip(0)?.try_contiguous();
        flip_1: x[0].try_flip(1)?.try_contiguous();
        rot90: x[0].try_rot90(1, 0, 1)?.try_contiguous();
        tril: x[0].try_tril(0);
        triu: x[0].try_triu(0);
        diag: x[0].try_diag(0);
        diagonal_copy: x[0].try_diagonal(0, 0, 1)?.try_contiguous();
        zeros: x[0].try_zeros_like();
        full: x[0].try_full_like(7);
        arange: DynTensor::arange(x[0].dtype(), 0, 262_144, 1);
        linspace: DynTensor::try_linspace(x[0].dtype(), 0, 1, 262_144);
        take: x[0].try_take(&x[1], 0);
        take_1: x[0].try_take(&x[1], 1);
        take_along_0: x[0].try_take_along_axis(&x[1], 0);
        take_along_1: x[0].try_take_along_axis(&x[1], 1);
        scatter: x[0].try_scatter(&x[1], &x[2], 0);
        scatter_add: x[0].try_scatter_add(&x[1], &x[2], 0);
        scatter_max: x[0].try_scatter_max(&x[1], &x[2], 0);
        one_hot: x[0].try_one_hot(64, DType::I64);
        where: x[0].try_select(&x[1], &x[2]);
        where_scalar: x[0].try_select(&x[1], 0);
        compress_0: x[0].try_compress(&x[1], 0);
        compress_1: x[0].try_compress(&x[1], 1);
        nonzero: x[0].try_flatnonzero();
        einsum_ij: DynTensor::try_einsum("ij,ij->i", &[&x[0], &x[1]]);
        einsum_bij: DynTensor::try_einsum("bij,bkj->bik", &[&x[0], &x[1]]);
        cov: x[0].try_cov(1);
        matmul_of_truth: x[0].with_rules(Jax).try_matmul(x[1].with_rules(Jax)); // PyTorch has none, nor have its rules
        matmul_in_I32: x[0].try_matmul_in(&x[1], DType::I32);
        softmax_0: x[0].try_softmax(0);
        softmax_1: x[0].try_softmax(1);
        log_softmax_1: x[0].try_log_softmax(1);
        log_sum_exp_1: x[0].try_log_sum_exp(1);
        layer_norm: {
            let matrix = x[0].typed::<F32, Rank2, Torch>()?;
            let (gain, bias) = (x[1].typed::<F32, Rank1, Torch>()?, x[2].typed::<F32, Rank1, Torch>()?);
            let out: Tensor<F32, Rank2, Torch> = fuse!(
                (matrix - matrix.mean_keepdims(-1)) * (matrix.var_keepdims(-1) + 1e-5).rsqrt() * gain + bias
            );
            Ok(out.into_dyn())
        };
        conv1d: x[0].try_conv1d(&x[1], ConvOptions::new());
        conv2d: {
            let padding = x[1].shape()[2] / 2;
            x[0].try_conv2d(&x[1], ConvOptions::new().padding([padding, padding]))
        };
        conv2d_groups: x[0].try_conv2d(&x[1], ConvOptions::new().padding([1, 1]).groups(x[0].shape()[1]));
        conv_transpose1d: x[0].try_conv_transpose1d(&x[1], ConvOptions::new().stride([2]));
        max_pool1d: x[0].try_max_pool1d(PoolOptions::new([2]));
        max_pool2d: x[0].try_max_pool2d(PoolOptions::new([2, 2]));
        max_pool2d_3: x[0].try_max_pool2d(PoolOptions::new([3, 3]).stride([1, 1]).padding([1, 1]));
        avg_pool2d: x[0].try_avg_pool2d(PoolOptions::new([2, 2]));
        avg_pool2d_3: x[0].try_avg_pool2d(PoolOptions::new([3, 3]).stride([1, 1]));
        attention: {
            let scores = x[0].try_matmul(&x[1].try_matrix_transpose()?)?;
            scores.try_mul(0.125)?.try_softmax(-1)?.try_matmul(&x[2])
        };
}
