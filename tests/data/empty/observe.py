"""Writes answers.csv: NumPy's answers for arrays without elements and of rank 0, and for those with a single one.

    python tests/data/empty/observe.py

Columns: the function; the shape of its argument, sizes joined by `x` (empty for rank 0); the axis, or nothing; and the answer:
`sizes: elements`, or `error`. Arguments have the elements 1, 2, .. in f64; a second argument, where there is one, is the same.
NumPy 2.4.6 wrote the file of the repository.
"""

import csv
import pathlib
import warnings

import numpy as np

SHAPES = [(), (0,), (1,), (0, 3), (3, 0), (2, 0, 3), (0, 0), (1, 1)]


def scatter(ufunc, x, axis):
    """Combines the slices of x along the axis with its first slice, and with no others."""
    result = np.moveaxis(x.copy(), axis, 0)
    ufunc.at(result, np.zeros(x.shape[axis], np.int64), np.moveaxis(x, axis, 0))
    return np.moveaxis(result, 0, axis)


# Functions of the array alone.
ALONE = {
    "sum": np.sum, "prod": np.prod, "mean": np.mean, "var": np.var, "std": np.std, "min": np.min, "max": np.max,
    "any": np.any, "all": np.all, "argmin": np.argmin, "argmax": np.argmax, "median": np.median, "nan_median": np.nanmedian,
    "nan_sum": np.nansum, "nan_mean": np.nanmean, "nan_var": np.nanvar, "nan_std": np.nanstd, "nan_min": np.nanmin, "nan_max": np.nanmax,
    "nan_prod": np.nanprod, "nan_argmin": np.nanargmin, "nan_argmax": np.nanargmax,
    "quantile": lambda x: np.quantile(x, 0.25), "nan_quantile": lambda x: np.nanquantile(x, 0.25), "unique": np.unique, "flatten": np.ravel, "transpose": np.transpose,
    "norm": lambda x: np.linalg.norm(x.ravel()), "neg": np.negative, "exp": np.exp, "add": lambda x: x + x,
    "equal": lambda x: x == x, "select": lambda x: np.where(x > 1, x, -x), "matmul": lambda x: x @ (np.swapaxes(x, -1, -2) if x.ndim > 1 else x),
    "dot": lambda x: np.dot(x, x) if x.ndim == 1 else None, "outer": lambda x: np.outer(x, x) if x.ndim == 1 else None,
    "kron": lambda x: np.kron(x, x), "tril": np.tril, "triu": np.triu, "trace": lambda x: np.trace(x) if x.ndim == 2 else None,
    "diag": lambda x: np.diag(x) if x.ndim == 1 else None, "diagonal": np.diagonal,
    "tile": lambda x: np.tile(x, (2,) * x.ndim), "tile_none": lambda x: np.tile(x, (0,) * x.ndim),
    "pad": lambda x: np.pad(x, 1, constant_values=7), "pad_edge": lambda x: np.pad(x, 1, mode="edge"),
    "pad_reflect": lambda x: np.pad(x, 1, mode="reflect"), "pad_wrap_none": lambda x: np.pad(x, 0, mode="wrap"),
    "searchsorted": lambda x: np.searchsorted(x, x) if x.ndim == 1 else None,
    "bincount": lambda x: np.bincount(x.astype(np.int64)) if x.ndim == 1 else None,
    "histogram": lambda x: np.histogram(x, 2, (0.0, 2.0))[0], "masked_select": lambda x: x[x > 0],
    "masked_none": lambda x: x[x < 0], "unique_counts": lambda x: np.unique_counts(x).counts,
    "count_nonzero": np.count_nonzero, "matrix_transpose": np.matrix_transpose,
    "unsqueeze": lambda x: np.expand_dims(x, 0), "broadcast_to": lambda x: np.broadcast_to(x, (2, *x.shape)),
    "einsum_product": lambda x: np.einsum("ij,kj->ik", x, x) if x.ndim == 2 else None,
    "einsum_sum": lambda x: np.einsum("ijk"[: x.ndim] + "->", x), "einsum_diagonal": lambda x: np.einsum("ii->i", x) if x.ndim == 2 and x.shape[0] == x.shape[1] else None,
    "einsum_outer": lambda x: np.einsum("i,j->ij", x, x) if x.ndim == 1 else None,
    "tensordot": lambda x: np.tensordot(x, x, ([0], [0])), "tensordot_none": lambda x: np.tensordot(x, x, 0),
    "unique_inverse": lambda x: np.unique_inverse(x).inverse_indices.ravel(), "pow": lambda x: x ** 2, "floor_div": lambda x: x // x,
    "clamp": lambda x: np.clip(x, 2, 3), "all_keepdims": lambda x: np.all(x, axis=tuple(range(x.ndim)), keepdims=True),
    "sum_keepdims": lambda x: np.sum(x, axis=tuple(range(x.ndim)), keepdims=True), "slice_axes": lambda x: x[..., None, ::-2] if x.ndim else None,
    "reshape_rest": lambda x: x.reshape(-1), "reshape_none": lambda x: x.reshape(0), "reshape_scalar": lambda x: x.reshape(()),
}
# Functions along an axis.
ALONG = {
    "sum": np.sum, "prod": np.prod, "mean": np.mean, "var": np.var, "min": np.min, "max": np.max, "any": np.any, "all": np.all,
    "argmin": np.argmin, "argmax": np.argmax, "median": np.median, "nan_median": np.nanmedian, "nan_sum": np.nansum, "nan_mean": np.nanmean,
    "nan_var": np.nanvar, "nan_std": np.nanstd, "nan_prod": np.nanprod, "nan_argmin": np.nanargmin,
    "nan_argmax_keepdims": lambda x, axis: np.nanargmax(x, axis, keepdims=True),
    "nan_max": np.nanmax, "cumsum": np.cumsum, "cumprod": np.cumprod, "cummax": lambda x, axis: np.maximum.accumulate(x, axis),
    "quantile": lambda x, axis: np.quantile(x, 0.25, axis), "nan_quantile": lambda x, axis: np.nanquantile(x, 0.25, axis), "sort": np.sort, "argsort": np.argsort,
    "flip": np.flip, "roll": lambda x, axis: np.roll(x, 1, axis), "repeat": lambda x, axis: np.repeat(x, 2, axis),
    "repeat_none": lambda x, axis: np.repeat(x, 0, axis), "squeeze": np.squeeze,
    "concat": lambda x, axis: np.concatenate([x, x], axis), "stack": lambda x, axis: np.stack([x, x], axis),
    "take_none": lambda x, axis: np.take(x, np.zeros(0, np.int64), axis),
    "take_first": lambda x, axis: np.take(x, np.zeros(2, np.int64), axis),
    "take_along_axis": lambda x, axis: np.take_along_axis(x, np.zeros(x.shape, np.int64), axis),
    "slice_none": lambda x, axis: np.take(x, range(0, 0), axis), "unsqueeze": np.expand_dims,
    "var_corrected": lambda x, axis: np.var(x, axis, ddof=1), "nan_std_corrected": lambda x, axis: np.nanstd(x, axis, ddof=1),
    "var_corrected_keepdims": lambda x, axis: np.var(x, axis, ddof=1, keepdims=True), "norm": lambda x, axis: np.linalg.norm(x, 2, axis),
    "unstack": lambda x, axis: np.array(len(np.unstack(x, axis=axis))),
    "permute": lambda x, axis: np.transpose(x, (axis, *(n for n in range(x.ndim) if n != axis % max(x.ndim, 1)))),
    "permute_twice": lambda x, axis: np.transpose(x, (axis,) * x.ndim),
    "std": np.std, "nan_min": np.nanmin, "cummin": lambda x, axis: np.minimum.accumulate(x, axis),
    "mean_keepdims": lambda x, axis: np.mean(x, axis, keepdims=True), "max_keepdims": lambda x, axis: np.max(x, axis, keepdims=True),
    "argmax_keepdims": lambda x, axis: np.argmax(x, axis, keepdims=True),
    "median_keepdims": lambda x, axis: np.median(x, axis, keepdims=True),
    "log_sum_exp": lambda x, axis: np.logaddexp.reduce(x, axis).round(9), "norm_1": lambda x, axis: np.linalg.norm(x, 1, axis),
    "norm_inf": lambda x, axis: np.linalg.norm(x, np.inf, axis), "norm_minus_inf": lambda x, axis: np.linalg.norm(x, -np.inf, axis),
    "norm_0": lambda x, axis: np.linalg.norm(x, 0, axis), "norm_3": lambda x, axis: np.linalg.norm(x, 3, axis).round(9), "split": lambda x, axis: np.split(x, [0], axis)[1],
    "scatter_add": lambda x, axis: scatter(np.add, x, axis), "scatter_max": lambda x, axis: scatter(np.maximum, x, axis),
    "scatter_min": lambda x, axis: scatter(np.minimum, x, axis), "cross": lambda x, axis: np.cross(x, x, axis=axis) if x.shape[axis] == 3 else None,
    "tile": lambda x, axis: np.tile(x, [3 if n == axis % x.ndim else 1 for n in range(x.ndim)]),
    "flip_slice": lambda x, axis: np.flip(x, axis).take(range(0, x.shape[axis], 2), axis), "swap_axes": lambda x, axis: np.swapaxes(x, axis, 0),
    "diff": np.diff, "count_nonzero": np.count_nonzero, "move_axis": lambda x, axis: np.moveaxis(x, axis, 0),
}
# Constructors.
MADE = {
    "zeros": lambda: np.zeros(0), "eye": lambda: np.eye(0), "arange": lambda: np.arange(0.0, 0.0, 1.0),
    "arange_down": lambda: np.arange(3.0, 1.0, 1.0), "linspace_none": lambda: np.linspace(2.0, 5.0, 0),
    "linspace_one": lambda: np.linspace(2.0, 5.0, 1), "logspace_one": lambda: np.logspace(2.0, 5.0, 1),
}


def answer(call):
    try:
        result = call()
    except Exception:  # the kind differs by function
        return "error"
    if result is None:
        return None
    result = np.asarray(result)
    sizes = "x".join(map(str, result.shape))
    elements = " ".join(repr(float(x)) for x in result.ravel())
    return f"{sizes}: {elements}".strip()


def rows():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    for shape in SHAPES:
        x = np.arange(1.0, 1.0 + np.prod(shape, dtype=int)).reshape(shape)
        named = "x".join(map(str, shape))
        for name, function in ALONE.items():
            yield name, named, "", answer(lambda: function(x))
        for axis in [-1, *range(len(shape))]:
            for name, function in ALONG.items():
                yield name, named, axis, answer(lambda: function(x, axis=axis))
    for name, function in MADE.items():
        yield name, "", "new", answer(function)


with open(pathlib.Path(__file__).with_name("answers.csv"), "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["function", "shape", "axis", "answer"])
    writer.writerows(row for row in rows() if row[-1] is not None)
