//! Axes that do not exist, axes named twice, and orders that are not permutations.

use supremum::QuantileMethod;
use supremum::prelude::*;

use crate::{Faults, SHAPES, bad_axes, no_axis, refused, tensor};

/// Methods that take an axis, of each tensor in a list; the rank in their message is that of the tensor.
macro_rules! along_an_axis {
    ($faults:ident, $axis:ident, $rank:ident, $tensors:tt; $($($try_name:ident $name:ident $arguments:tt)+;)+) => {
        $($(
            refused!($faults, &no_axis($axis, $rank), $tensors; $try_name $name $arguments);
        )+)+
    };
}

#[test]
pub(crate) fn reductions_and_scans_name_an_axis_that_does_not_exist() {
    let mut faults = Faults::default();
    for shape in SHAPES {
        let (typed, rank) = (tensor(shape), shape.len());
        let dynamic = typed.clone().into_dyn();
        for axis in bad_axes(rank) {
            let both = [axis, axis];
            along_an_axis! { faults, axis, rank, [typed, dynamic];
                try_sum_axis sum_axis(axis) try_sum_axis sum_axis(&both) try_sum_keepdims sum_keepdims(axis);
                try_prod_axis prod_axis(axis) try_prod_axis prod_axis(&both) try_prod_keepdims prod_keepdims(axis);
                try_mean_axis mean_axis(axis) try_mean_axis mean_axis(&both) try_mean_keepdims mean_keepdims(axis);
                try_var_axis var_axis(axis) try_var_axis var_axis(&both) try_var_keepdims var_keepdims(axis)
                    try_var_corrected var_corrected(1, axis) try_var_corrected_keepdims var_corrected_keepdims(1, &both);
                try_std_axis std_axis(axis) try_std_axis std_axis(&both) try_std_keepdims std_keepdims(axis)
                    try_std_corrected std_corrected(1, axis) try_std_corrected_keepdims std_corrected_keepdims(1, axis);
                try_min_axis min_axis(axis) try_min_axis min_axis(&both) try_min_keepdims min_keepdims(axis);
                try_max_axis max_axis(axis) try_max_axis max_axis(&both) try_max_keepdims max_keepdims(axis);
                try_any_axis any_axis(axis) try_any_axis any_axis(&both) try_any_keepdims any_keepdims(axis);
                try_all_axis all_axis(axis) try_all_axis all_axis(&both) try_all_keepdims all_keepdims(axis);
                try_nan_sum_axis nan_sum_axis(axis) try_nan_sum_keepdims nan_sum_keepdims(&both);
                try_nan_mean_axis nan_mean_axis(axis) try_nan_mean_keepdims nan_mean_keepdims(&both);
                try_nan_var_corrected nan_var_corrected(1, axis) try_nan_var_corrected_keepdims nan_var_corrected_keepdims(1, axis)
                    try_nan_var_axis nan_var_axis(axis) try_nan_var_keepdims nan_var_keepdims(&both);
                try_nan_std_corrected nan_std_corrected(1, axis) try_nan_std_corrected_keepdims nan_std_corrected_keepdims(1, axis)
                    try_nan_std_axis nan_std_axis(axis) try_nan_std_keepdims nan_std_keepdims(&both);
                try_nan_min_axis nan_min_axis(axis) try_nan_min_keepdims nan_min_keepdims(&both);
                try_nan_max_axis nan_max_axis(axis) try_nan_max_keepdims nan_max_keepdims(&both);
                try_count_nonzero_axis count_nonzero_axis(axis) try_count_nonzero_axis count_nonzero_axis(&both)
                    try_count_nonzero_keepdims count_nonzero_keepdims(axis);
                try_nan_prod_axis nan_prod_axis(axis) try_nan_prod_keepdims nan_prod_keepdims(&both);
                try_nan_argmin_axis nan_argmin_axis(axis) try_nan_argmin_keepdims nan_argmin_keepdims(axis);
                try_nan_argmax_axis nan_argmax_axis(axis) try_nan_argmax_keepdims nan_argmax_keepdims(axis);
                try_argmin_axis argmin_axis(axis) try_argmin_keepdims argmin_keepdims(axis);
                try_argmax_axis argmax_axis(axis) try_argmax_keepdims argmax_keepdims(axis);
                try_unfold unfold(axis, 1, 1);
                try_rot90 rot90(1, axis, axis);
                try_cumsum cumsum(axis);
                try_cumprod cumprod(axis);
                try_cummin cummin(axis);
                try_cummax cummax(axis);
                try_median_axis median_axis(axis) try_median_keepdims median_keepdims(axis);
                try_quantile_axis quantile_axis(0.5, QuantileMethod::Linear, axis)
                    try_quantile_keepdims quantile_keepdims(0.5, QuantileMethod::Linear, &both);
                try_nan_median_axis nan_median_axis(axis) try_nan_median_keepdims nan_median_keepdims(&both);
                try_nan_quantile_axis nan_quantile_axis(0.5, QuantileMethod::Linear, axis)
                    try_nan_quantile_keepdims nan_quantile_keepdims(0.5, QuantileMethod::Linear, axis);
                try_softmax softmax(axis);
                try_log_softmax log_softmax(axis);
                try_log_sum_exp log_sum_exp(axis) try_log_sum_exp_keepdims log_sum_exp_keepdims(&both);
                try_norm norm(2.0, axis) try_norm_keepdims norm_keepdims(3.0, &both);
            }
        }
    }
}

#[test]
pub(crate) fn operations_along_an_axis_name_one_that_does_not_exist() {
    let mut faults = Faults::default();
    for shape in SHAPES {
        let (typed, rank) = (tensor(shape), shape.len());
        let dynamic = typed.clone().into_dyn();
        for axis in bad_axes(rank) {
            along_an_axis! { faults, axis, rank, [typed, dynamic];
                try_sort sort(axis);
                try_repeat_each repeat_each([1], axis);
                try_sort_descending sort_descending(axis);
                try_argsort argsort(axis);
                try_argsort_descending argsort_descending(axis);
                try_top_k top_k(0, axis);
                try_slice slice(axis, ..);
                try_slice_step slice_step(axis, .., 0);
                try_index_axis index_axis(axis, 0);
                try_squeeze squeeze(axis);
                try_flip flip(axis);
                try_diagonal diagonal(0, axis, 0) try_diagonal diagonal(0, axis, axis);
                try_roll roll(1, axis);
                try_repeat repeat(2, axis);
                try_diff diff(1, axis);
                try_swap_axes swap_axes(axis, axis);
                try_move_axis move_axis(axis, axis);
                try_split split(&[1], axis);
                try_chunk chunk(0, axis);
                try_unstack unstack(axis);
                try_shuffle shuffle(axis, &mut rand_pcg::Pcg32::new(1, 1));
            }
            if rank > 0 {
                along_an_axis! { faults, axis, rank, [typed, dynamic];
                    try_diagonal diagonal(0, 0, axis);
                    try_swap_axes swap_axes(0, axis);
                    try_move_axis move_axis(0, axis) try_move_axis move_axis(axis, 0);
                }
            }
            let indices = Tensor::<I64>::zeros(shape);
            let none = Tensor::<I64>::zeros([0]);
            let mask = Tensor::<Bool>::zeros([0]);
            along_an_axis! { faults, axis, rank, [typed, dynamic];
                try_axis_iter axis_iter(axis);
            }
            along_an_axis! { faults, axis, rank, [typed];
                try_take take(&none, axis);
                try_take_along_axis take_along_axis(&indices, axis);
                try_compress compress(&mask, axis);
                try_scatter scatter(&indices, &typed, axis);
                try_scatter_add scatter_add(&indices, &typed, axis);
                try_scatter_max scatter_max(&indices, &typed, axis);
                try_cross cross(&typed, axis);
                try_tensordot tensordot(&typed, axis, axis);
                try_concat concat(&typed, axis);
            }
            let (indices, none, mask) = (indices.into_dyn(), none.into_dyn(), mask.into_dyn());
            along_an_axis! { faults, axis, rank, [dynamic];
                try_take take(&none, axis);
                try_take_along_axis take_along_axis(&indices, axis);
                try_compress compress(&mask, axis);
                try_scatter scatter(&indices, &dynamic, axis);
                try_scatter_add scatter_add(&indices, &dynamic, axis);
                try_scatter_min scatter_min(&indices, &dynamic, axis);
                try_cross cross(&dynamic, axis);
                try_tensordot tensordot(&dynamic, axis, axis);
            }
            let mention = no_axis(axis, rank);
            let error = faults.refused(("concat", "concat"), &mention, || {
                try_concat(&[&typed], axis)
            });
            faults.panics("concat", &error.unwrap_or_default(), &mut || {
                concat(&[&typed], axis);
            });
            faults.refused(("concat", "concat"), &mention, || {
                try_concat(&[&dynamic], axis)
            });
            faults.refused(("concat", "concat"), &mention, || {
                DynTensor::try_concat(&dynamic, &dynamic, axis)
            });
        }
        // Axes of the result, which has one more.
        let rank = rank + 1;
        for axis in bad_axes(rank) {
            along_an_axis! { faults, axis, rank, [typed, dynamic];
                try_unsqueeze unsqueeze(axis);
            }
            let mention = no_axis(axis, rank);
            let error = faults.refused(("stack", "stack"), &mention, || try_stack(&[&typed], axis));
            faults.panics("stack", &error.unwrap_or_default(), &mut || {
                stack(&[&typed], axis);
            });
            faults.refused(("stack", "stack"), &mention, || {
                try_stack(&[&dynamic], axis)
            });
        }
    }
}

#[test]
pub(crate) fn views_for_writing_name_an_axis_that_does_not_exist() {
    let mut faults = Faults::default();
    for shape in SHAPES {
        let (mut typed, rank) = (tensor(shape), shape.len());
        let mut dynamic = typed.clone().into_dyn();
        for axis in bad_axes(rank) {
            along_an_axis! { faults, axis, rank, [typed, dynamic];
                try_slice_mut slice_mut(axis, ..);
                try_slice_step_mut slice_step_mut(axis, .., 0);
                try_index_axis_mut index_axis_mut(axis, 0);
                try_diagonal_mut diagonal_mut(0, axis, 0);
                try_axis_iter_mut axis_iter_mut(axis);
            }
        }
        if rank == 0 {
            let mention = &too_few(1, shape);
            refused!(faults, mention, [typed, dynamic]; try_rows_mut rows_mut());
        }
        // Views of views for writing, too, name the method that was called.
        let (mut part, mut dyn_part) = (typed.view_mut(), dynamic.view_mut());
        for axis in bad_axes(rank) {
            along_an_axis! { faults, axis, rank, [part, dyn_part];
                try_slice_mut slice_mut(axis, ..);
                try_slice_step_mut slice_step_mut(axis, .., 0);
                try_index_axis_mut index_axis_mut(axis, 0);
                try_diagonal_mut diagonal_mut(0, axis, 0);
            }
        }
        let slices = (.., .., .., ..);
        let mention = &no_axis(rank.cast_signed(), rank);
        refused!(faults, mention, [typed, dynamic]; try_slice_axes slice_axes(slices));
        refused!(faults, mention, [typed, dynamic]; try_slice_axes_mut slice_axes_mut(slices));
    }
}

/// The parts of the error of a tensor with too few axes, which names no axis: the caller gave none.
fn too_few(least: usize, shape: &[usize]) -> [String; 3] {
    [
        format!("at least {least}"),
        format!("rank {}", shape.len()),
        format!("{shape:?}"),
    ]
}

#[test]
pub(crate) fn operations_on_the_last_axes_name_the_rank() {
    let mut faults = Faults::default();
    for shape in [&[][..], &[0], &[3]] {
        let typed = tensor(shape);
        let dynamic = typed.clone().into_dyn();
        let mention = &too_few(2, shape);
        refused!(faults, mention, [typed, dynamic]; try_tril tril(0));
        refused!(faults, mention, [typed, dynamic]; try_triu triu(-1));
        refused!(faults, mention, [typed, dynamic]; try_trace trace(0));
        refused!(faults, mention, [typed, dynamic]; try_matrix_transpose matrix_transpose());
    }
    let typed = tensor(&[]);
    let dynamic = typed.clone().into_dyn();
    let mention = &too_few(1, &[]);
    refused!(faults, mention, [typed, dynamic]; try_rows rows());
    refused!(faults, mention, [typed, dynamic]; try_diag_embed diag_embed(0));
    refused!(faults, mention, [typed, dynamic]; try_nonzero nonzero());
    refused!(faults, mention, [typed]; try_searchsorted_rows searchsorted_rows(&typed));
    refused!(faults, mention, [typed]; try_searchsorted_rows_right searchsorted_rows_right(&typed));
    refused!(faults, mention, [dynamic]; try_searchsorted_rows_right searchsorted_rows_right(&dynamic));
}
