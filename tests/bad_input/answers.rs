//! Answers for no elements, for rank 0 and for one element, beside NumPy's, which `data/empty/observe.py` observed.

use std::collections::BTreeMap;

use supremum::QuantileMethod;
use supremum::prelude::*;

/// The functions of the table that take the tensor alone.
fn alone(function: &str, x: &DynTensor) -> Result<DynTensor, Error> {
    let rank = x.ndim();
    let wider = [&[2], x.shape()].concat();
    match function {
        "sum" => x.try_sum(),
        "prod" => x.try_prod(),
        "mean" => x.try_mean(),
        "var" => x.try_var(),
        "std" => x.try_std(),
        "min" => x.try_min(),
        "max" => x.try_max(),
        "any" => x.try_any(),
        "all" => x.try_all(),
        "argmin" => x.try_argmin(),
        "argmax" => x.try_argmax(),
        "median" => x.try_median(),
        "nan_median" => x.try_nan_median(),
        "nan_sum" => x.try_nan_sum(),
        "nan_mean" => x.try_nan_mean(),
        "nan_var" => x.try_nan_var(),
        "nan_std" => x.try_nan_std(),
        "nan_min" => x.try_nan_min(),
        "nan_max" => x.try_nan_max(),
        "nan_prod" => x.try_nan_prod(),
        "nan_argmin" => x.try_nan_argmin(),
        "nan_argmax" => x.try_nan_argmax(),
        "quantile" => x.try_quantile(0.25, QuantileMethod::Linear),
        "nan_quantile" => x.try_nan_quantile(0.25, QuantileMethod::Linear),
        "unique" => x.try_unique(),
        "unique_counts" => x.try_unique_counts().map(|(_, counts)| counts),
        "count_nonzero" => x.try_count_nonzero(),
        "matrix_transpose" => x.try_matrix_transpose(),
        "flatten" => Ok(x.flatten()),
        "transpose" => Ok(x.transpose()),
        "norm" => x.try_norm(2.0, ..),
        "neg" => x.try_neg(),
        "exp" => x.exp(),
        "add" => x.try_add(x),
        "equal" => x.try_equal(x),
        "select" => DynTensor::try_select(&x.try_gt(1)?, x, &x.try_neg()?),
        "matmul" => match rank {
            0 => x.try_matmul(x),
            1 => x.try_matmul(x),
            _ => x.try_matmul(&x.try_swap_axes(-1, -2)?),
        },
        "dot" => x.try_dot(x),
        "outer" => x.try_outer(x),
        "kron" => x.try_kron(x),
        "tril" => x.try_tril(0),
        "triu" => x.try_triu(0),
        "trace" => x.try_trace(0),
        "diag" => x.try_diag(0),
        "diagonal" => x.try_diagonal(0, 0, 1),
        "tile" => x.try_tile(vec![2; rank]),
        "tile_none" => x.try_tile(vec![0; rank]),
        "pad" => x.try_pad(vec![[1, 1]; rank], 7.0),
        "pad_edge" => x.try_pad_with(vec![[1, 1]; rank], PadMode::Edge),
        "pad_reflect" => x.try_pad_with(vec![[1, 1]; rank], PadMode::Reflect),
        "pad_wrap_none" => x.try_pad_with(vec![[0, 0]; rank], PadMode::Wrap),
        "searchsorted" => x.try_searchsorted(x),
        "bincount" => x.try_cast(DType::I64)?.try_bincount(0),
        "histogram" => x.try_histogram(2, 0.0..=2.0),
        "masked_select" => x.try_masked_select(&x.try_gt(0)?),
        "masked_none" => x.try_masked_select(&x.try_lt(0)?),
        "unsqueeze" => x.try_unsqueeze(0),
        "broadcast_to" => x.try_broadcast_to(&wider[..]),
        "einsum_product" => DynTensor::try_einsum("ij,kj->ik", &[x, x]),
        "einsum_sum" => DynTensor::try_einsum(&format!("{}->", &"ijk"[..rank]), &[x]),
        "einsum_diagonal" => DynTensor::try_einsum("ii->i", &[x]),
        "einsum_outer" => DynTensor::try_einsum("i,j->ij", &[x, x]),
        "tensordot" => x.try_tensordot(x, [0], [0]),
        "tensordot_none" => x.try_tensordot(x, [0_isize; 0], [0_isize; 0]),
        "unique_inverse" => x.try_unique_inverse().map(|(_, places)| places.flatten()),
        "pow" => x.try_pow(2),
        "floor_div" => x.try_floor_div(x),
        "clamp" => x.try_clamp(2, 3),
        "all_keepdims" => x.try_all_keepdims(..),
        "sum_keepdims" => x.try_sum_keepdims(..),
        "slice_axes" => x.try_slice_axes(s![..., NewAxis, ..;-2]),
        "reshape_rest" => x.try_reshape([-1]),
        "reshape_none" => x.try_reshape([0]),
        "reshape_scalar" => x.try_reshape([]),
        other => panic!("no reading of {other}"),
    }
}

/// The functions of the table that go along an axis.
fn along(function: &str, x: &DynTensor, axis: isize) -> Result<DynTensor, Error> {
    let rank = x.ndim();
    let positions = |count: usize| DynTensor::zeros(DType::I64, [count]).map(numpy);
    match function {
        "sum" => x.try_sum_axis(axis),
        "prod" => x.try_prod_axis(axis),
        "mean" => x.try_mean_axis(axis),
        "var" => x.try_var_axis(axis),
        "min" => x.try_min_axis(axis),
        "max" => x.try_max_axis(axis),
        "any" => x.try_any_axis(axis),
        "all" => x.try_all_axis(axis),
        "argmin" => x.try_argmin_axis(axis),
        "argmax" => x.try_argmax_axis(axis),
        "median" => x.try_median_axis(axis),
        "nan_median" => x.try_nan_median_axis(axis),
        "nan_sum" => x.try_nan_sum_axis(axis),
        "nan_mean" => x.try_nan_mean_axis(axis),
        "nan_var" => x.try_nan_var_axis(axis),
        "nan_std" => x.try_nan_std_axis(axis),
        "nan_max" => x.try_nan_max_axis(axis),
        "nan_prod" => x.try_nan_prod_axis(axis),
        "nan_argmin" => x.try_nan_argmin_axis(axis),
        "cumsum" => x.try_cumsum(axis),
        "cumprod" => x.try_cumprod(axis),
        "cummax" => x.try_cummax(axis),
        "quantile" => x.try_quantile_axis(0.25, QuantileMethod::Linear, axis),
        "nan_quantile" => x.try_nan_quantile_axis(0.25, QuantileMethod::Linear, axis),
        "sort" => x.try_sort(axis),
        "argsort" => x.try_argsort(axis),
        "flip" => x.try_flip(axis),
        "roll" => x.try_roll(1, axis),
        "repeat" => x.try_repeat(2, axis),
        "repeat_none" => x.try_repeat(0, axis),
        "squeeze" => x.try_squeeze(axis),
        "concat" => try_concat(&[x, x], axis),
        "stack" => try_stack(&[x, x], axis),
        "take_none" => x.try_take(&positions(0)?, axis),
        "take_first" => x.try_take(&positions(2)?, axis),
        "take_along_axis" => {
            let zeros = numpy(DynTensor::zeros(DType::I64, x.shape())?);
            x.try_take_along_axis(&zeros, axis)
        }
        "slice_none" => x.try_slice(axis, 0..0),
        "unsqueeze" => x.try_unsqueeze(axis),
        "var_corrected" => x.try_var_corrected(1, axis),
        "nan_std_corrected" => x.try_nan_std_corrected(1, axis),
        "var_corrected_keepdims" => x.try_var_corrected_keepdims(1, axis),
        "norm" => x.try_norm(2.0, axis),
        "std" => x.try_std_axis(axis),
        "nan_min" => x.try_nan_min_axis(axis),
        "cummin" => x.try_cummin(axis),
        "mean_keepdims" => x.try_mean_keepdims(axis),
        "max_keepdims" => x.try_max_keepdims(axis),
        "nan_argmax_keepdims" => x.try_nan_argmax_keepdims(axis),
        "argmax_keepdims" => x.try_argmax_keepdims(axis),
        "median_keepdims" => x.try_median_keepdims(axis),
        "log_sum_exp" => rounded(&x.try_log_sum_exp(axis)?),
        "norm_1" => x.try_norm(1.0, axis),
        "norm_inf" => x.try_norm(f64::INFINITY, axis),
        "norm_minus_inf" => x.try_norm(f64::NEG_INFINITY, axis),
        "norm_0" => x.try_norm(0.0, axis),
        "norm_3" => rounded(&x.try_norm(3.0, axis)?),
        "split" => {
            let size = x.try_unstack(axis)?.len();
            x.try_split(&[0, size], axis).map(|parts| parts[1].clone())
        }
        "scatter_add" => {
            let zeros = numpy(DynTensor::zeros(DType::I64, x.shape())?);
            x.try_scatter_add(&zeros, x, axis)
        }
        "scatter_max" => {
            let zeros = numpy(DynTensor::zeros(DType::I64, x.shape())?);
            x.try_scatter_max(&zeros, x, axis)
        }
        "scatter_min" => {
            let zeros = numpy(DynTensor::zeros(DType::I64, x.shape())?);
            x.try_scatter_min(&zeros, x, axis)
        }
        "cross" => x.try_cross(x, axis),
        "tile" => {
            let mut counts = vec![1; rank];
            let axis =
                usize::try_from(axis.rem_euclid(rank.max(1).cast_signed())).expect("an axis");
            if let Some(count) = counts.get_mut(axis) {
                *count = 3;
            }
            x.try_tile(counts)
        }
        "flip_slice" => x.try_slice_step(axis, .., -2),
        "swap_axes" => x.try_swap_axes(axis, 0),
        "diff" => x.try_diff(1, axis),
        "count_nonzero" => x.try_count_nonzero_axis(axis),
        "move_axis" => x.try_move_axis(axis, 0),
        "permute" => {
            let end = rank.cast_signed();
            let first = axis.rem_euclid(end.max(1));
            let others = (0..end).filter(|other| *other != first);
            x.try_permute([axis].into_iter().chain(others).collect::<Vec<_>>())
        }
        "permute_twice" => x.try_permute(vec![axis; rank]),
        "unstack" => {
            let count = x.try_unstack(axis)?.len();
            DynTensor::full(DType::I64, [], count as i64)
        }
        other => panic!("no reading of {other}"),
    }
}

/// The constructors of the table.
fn made(function: &str) -> Result<DynTensor, Error> {
    match function {
        "zeros" => DynTensor::zeros(DType::F64, [0]),
        "eye" => DynTensor::eye(DType::F64, 0),
        "arange" => DynTensor::arange(DType::F64, 0.0, 0.0, 1.0),
        "arange_down" => DynTensor::arange(DType::F64, 3.0, 1.0, 1.0),
        "linspace_none" => DynTensor::try_linspace(DType::F64, 2.0, 5.0, 0),
        "linspace_one" => DynTensor::try_linspace(DType::F64, 2.0, 5.0, 1),
        "logspace_one" => DynTensor::try_logspace(DType::F64, 2.0, 5.0, 1),
        other => panic!("no reading of {other}"),
    }
}

/// Rounds to nine digits, as the file does where the last bits differ.
fn rounded(x: &DynTensor) -> Result<DynTensor, Error> {
    x.try_mul(1e9)?.round()?.try_div(1e9)
}

/// Moves a tensor to NumPy's rules.
fn numpy(x: DynTensor) -> DynTensor {
    x.with_rules(Numpy::rule_set())
}

/// The argument of a row: 1, 2, .. in a shape.
fn argument(shape: &str) -> DynTensor {
    let sizes: Vec<usize> = shape
        .split('x')
        .filter(|size| !size.is_empty())
        .map(|size| size.parse().expect("a size"))
        .collect();
    let mut count = 0.0;
    let typed = Tensor::<F64>::from_fn(&sizes[..], |_| {
        count += 1.0;
        count
    });
    numpy(typed.into_dyn())
}

/// A result in the form of the table.
fn written(result: &Result<DynTensor, Error>) -> String {
    let Ok(result) = result else {
        return "error".to_owned();
    };
    let sizes: Vec<String> = result.shape().iter().map(usize::to_string).collect();
    let numbers = result.cast(DType::F64).to_vec::<F64>().expect("floats");
    let numbers: Vec<String> = numbers
        .iter()
        .map(|x| match x.is_nan() {
            true => "nan".to_owned(),
            false => format!("{x:?}"),
        })
        .collect();
    format!("{}: {}", sizes.join("x"), numbers.join(" "))
        .trim()
        .to_owned()
}

/// Why an answer differs from NumPy's, if that is on purpose.
fn reason(function: &str, shape: &str, axis: &str, found: &str) -> Option<&'static str> {
    let refused = found == "error";
    Some(match function {
        // In NumPy some functions take axis -1 of rank 0, and others refuse it.
        _ if shape.is_empty() && axis == "-1" && refused => "rank 0 has no axis",
        "tril" | "triu" if !shape.contains('x') && refused => "a vector is not a matrix",
        "take_first" if refused => "an index outside the axis is an error, also of nothing",
        _ => return None,
    })
}

#[test]
fn answers_for_few_elements_are_those_of_numpy() {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut faults, mut count) = (crate::Faults::default(), 0);
    for line in include_str!("../data/empty/answers.csv").lines().skip(1) {
        let [function, shape, axis, answer] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("not a row: {line}");
        };
        let mut call = || match axis {
            "" => alone(function, &argument(shape)),
            "new" => made(function),
            _ => along(function, &argument(shape), axis.parse().expect("an axis")),
        };
        let found = match crate::catch_unwind(&mut call) {
            Ok(result) => written(&result),
            Err(_) => "a panic".to_owned(),
        };
        count += 1;
        if found == answer {
            continue;
        }
        match reason(function, shape, axis, &found) {
            Some(reason) => *reasons.entry(reason).or_default() += 1,
            None => faults.note(line, &[], &found),
        }
    }
    drop(faults);
    let counted = [
        ("a vector is not a matrix", 4),
        ("an index outside the axis is an error, also of nothing", 2),
        ("rank 0 has no axis", 31),
    ];
    assert_eq!((count, reasons), (2003, counted.into_iter().collect()));
}
