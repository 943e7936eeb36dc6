"""The dtypes of sorted positions, quantiles, traces, scattered sums, differences and counts in each system.

    python observe_order.py jax jax_x32 numpy array_api torch tensorflow > order.csv       # the systems that are installed

`order.csv` is of the systems, versions and machine of `answers.csv`, in the same form; `observe.py` describes both. Operands are vectors
of two ones, and square matrices for `trace`. `quantile` is at 0.25, by linear interpolation. PyTorch's `median` is the lower of
two middle elements, as `nan_median`; its `quantile` is the interpolation that the others have. `scatter_add` adds a vector to one of the same dtype.
A function that a system does not have has no rows: the Array API has no median, quantile, `top_k`, counts or `scatter_add`,
TensorFlow has neither median nor quantile nor `diff`, and NumPy no `top_k`. NumPy's `scatter_add` is `numpy.add.at`. The bins of `histogram`
are two, between 0 and 2, and so are those of `histogram_edges`. The operand is that of the weights in `bincount_weighted` and `histogram_weighted`, and of the counted
elements in `density`, a histogram with `density=True`; TensorFlow has no histogram of given edges. NumPy's `scatter_max` and `scatter_min` are `numpy.maximum.at` and `numpy.minimum.at`.
"""

import sys

from observe import DTYPES, NAMES

FUNCTIONS = [
    "sort", "argsort", "top_k", "top_k_positions", "searchsorted", "unique", "unique_inverse", "unique_counts", "median",
    "quantile", "nan_median", "nan_quantile", "trace", "scatter_add", "scatter_max", "scatter_min", "bincount", "histogram", "diff",
    "count_nonzero", "bincount_weighted", "histogram_edges", "histogram_weighted", "density",
]


def jax_functions(x64=True):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", x64)
    functions = {
        "sort": jnp.sort, "argsort": jnp.argsort,
        "top_k": lambda x: jax.lax.top_k(x, 1)[0], "top_k_positions": lambda x: jax.lax.top_k(x, 1)[1],
        "searchsorted": lambda x: jnp.searchsorted(x, x),
        "unique": jnp.unique, "unique_inverse": lambda x: jnp.unique(x, return_inverse=True)[1],
        "unique_counts": lambda x: jnp.unique(x, return_counts=True)[1],
        "median": jnp.median, "quantile": lambda x: jnp.quantile(x, 0.25),
        "nan_median": jnp.nanmedian, "nan_quantile": lambda x: jnp.nanquantile(x, 0.25), "trace": lambda x: jnp.trace(jnp.stack([x, x])),
        "scatter_add": lambda x: x.at[jnp.array([0, 1])].add(x), "scatter_max": lambda x: x.at[jnp.array([0, 1])].max(x),
        "scatter_min": lambda x: x.at[jnp.array([0, 1])].min(x),
        "bincount": jnp.bincount, "histogram": lambda x: jnp.histogram(x, 2, (0, 2))[0],
        "diff": jnp.diff, "count_nonzero": lambda x: jnp.count_nonzero(x, axis=0),
        "bincount_weighted": lambda x: jnp.bincount(jnp.array([0, 1]), x),
        "histogram_edges": lambda x: jnp.histogram(x, jnp.array([0, 1, 2]).astype(x.dtype))[0],
        "histogram_weighted": lambda x: jnp.histogram(jnp.array([0.0, 1.0]), jnp.array([0.0, 1.0, 2.0]), weights=x)[0],
        "density": lambda x: jnp.histogram(x, jnp.array([0, 1, 2]).astype(x.dtype), density=True)[0],
    }
    return functions, lambda dtype: jnp.ones(2, getattr(jnp, dtype)), lambda x: x.dtype.name


def jax_x32_functions():
    return jax_functions(x64=False)


def numpy_functions():
    import ml_dtypes
    import numpy as np

    def scatter_add(x):
        x = x.copy()
        np.add.at(x, [0, 1], x)
        return x

    def scatter_max(x):
        x = x.copy()
        np.maximum.at(x, [0, 1], x)
        return x

    def scatter_min(x):
        x = x.copy()
        np.minimum.at(x, [0, 1], x)
        return x

    functions = {
        "sort": np.sort, "argsort": np.argsort, "searchsorted": lambda x: np.searchsorted(x, x),
        "unique": np.unique, "unique_inverse": lambda x: np.unique(x, return_inverse=True)[1],
        "unique_counts": lambda x: np.unique(x, return_counts=True)[1],
        "median": np.median, "quantile": lambda x: np.quantile(x, 0.25),
        "nan_median": np.nanmedian, "nan_quantile": lambda x: np.nanquantile(x, 0.25), "trace": lambda x: np.trace(np.stack([x, x])),
        "scatter_add": scatter_add, "scatter_max": scatter_max, "scatter_min": scatter_min, "bincount": np.bincount,
        "histogram": lambda x: np.histogram(x, 2, (0, 2))[0],
        "diff": np.diff, "count_nonzero": lambda x: np.count_nonzero(x, axis=0),
        "bincount_weighted": lambda x: np.bincount([0, 1], x), "histogram_edges": lambda x: np.histogram(x, [0, 1, 2])[0],
        "histogram_weighted": lambda x: np.histogram([0.0, 1.0], [0.0, 1.0, 2.0], weights=x)[0],
        "density": lambda x: np.histogram(x, [0, 1, 2], density=True)[0],
    }
    return functions, lambda dtype: np.ones(2, np.dtype(getattr(ml_dtypes, dtype, None) or dtype)), lambda x: x.dtype.name


def array_api_functions():
    import array_api_strict as xp

    functions = {
        "sort": xp.sort, "argsort": xp.argsort, "searchsorted": lambda x: xp.searchsorted(x, x),
        "unique": xp.unique_values, "unique_inverse": lambda x: xp.unique_inverse(x)[1],
        "unique_counts": lambda x: xp.unique_counts(x)[1], "trace": lambda x: xp.linalg.trace(xp.stack([x, x])),
        "diff": xp.diff, "count_nonzero": xp.count_nonzero,
    }
    return functions, lambda dtype: xp.ones(2, dtype=getattr(xp, dtype)), lambda x: str(x.dtype).split(".")[-1]


def torch_functions():
    import torch

    functions = {
        "sort": lambda x: torch.sort(x).values, "argsort": torch.argsort,
        "top_k": lambda x: torch.topk(x, 1).values, "top_k_positions": lambda x: torch.topk(x, 1).indices,
        "searchsorted": lambda x: torch.searchsorted(x, x),
        "unique": torch.unique, "unique_inverse": lambda x: torch.unique(x, return_inverse=True)[1],
        "unique_counts": lambda x: torch.unique(x, return_counts=True)[1],
        "median": torch.median, "quantile": lambda x: torch.quantile(x, 0.25),
        "nan_median": torch.nanmedian, "nan_quantile": lambda x: torch.nanquantile(x, 0.25), "trace": lambda x: torch.trace(torch.stack([x, x])),
        "scatter_add": lambda x: x.scatter_add(0, torch.tensor([0, 1]), x),
        "scatter_max": lambda x: x.scatter_reduce(0, torch.tensor([0, 1]), x, "amax"),
        "scatter_min": lambda x: x.scatter_reduce(0, torch.tensor([0, 1]), x, "amin"),
        "bincount": torch.bincount, "histogram": lambda x: torch.histogram(x, 2, range=(0.0, 2.0)).hist,
        "diff": torch.diff, "count_nonzero": torch.count_nonzero,
        "bincount_weighted": lambda x: torch.bincount(torch.tensor([0, 1]), x),
        "histogram_edges": lambda x: torch.histogram(x, torch.tensor([0, 1, 2]).to(x.dtype)).hist,
        "histogram_weighted": lambda x: torch.histogram(torch.tensor([0.0, 1.0]), torch.tensor([0.0, 1.0, 2.0]), weight=x).hist,
        "density": lambda x: torch.histogram(x, torch.tensor([0, 1, 2]).to(x.dtype), density=True).hist,
    }
    return functions, lambda dtype: torch.ones(2).to(getattr(torch, dtype)), lambda x: str(x.dtype).removeprefix("torch.")


def tensorflow_functions():
    import tensorflow as tf

    functions = {
        "sort": tf.sort, "argsort": tf.argsort,
        "top_k": lambda x: tf.math.top_k(x, 1).values, "top_k_positions": lambda x: tf.math.top_k(x, 1).indices,
        "searchsorted": lambda x: tf.searchsorted(x, x),
        "unique": lambda x: tf.unique(x).y, "unique_inverse": lambda x: tf.unique(x).idx,
        "unique_counts": lambda x: tf.unique_with_counts(x).count,
        "trace": lambda x: tf.linalg.trace(tf.stack([x, x])),
        "scatter_add": lambda x: tf.tensor_scatter_nd_add(x, [[0], [1]], x),
        "scatter_max": lambda x: tf.tensor_scatter_nd_max(x, [[0], [1]], x),
        "scatter_min": lambda x: tf.tensor_scatter_nd_min(x, [[0], [1]], x),
        "bincount": tf.math.bincount, "histogram": lambda x: tf.histogram_fixed_width(x, tf.cast([0, 2], x.dtype), 2),
        "count_nonzero": tf.math.count_nonzero, "bincount_weighted": lambda x: tf.math.bincount([0, 1], x),
    }
    return functions, lambda dtype: tf.cast(tf.ones(2), getattr(tf, dtype)), lambda x: x.dtype.name


def main():
    print("system,function,operands,result")
    for system in sys.argv[1:]:
        functions, array, name = globals()[f"{system}_functions"]()
        for function in FUNCTIONS if functions else ():
            for short, dtype in DTYPES.items() if function in functions else ():
                try:
                    x = array(dtype)
                except AttributeError:
                    continue  # not a dtype of the system
                try:
                    result = NAMES[name(functions[function](x))]
                except Exception:
                    result = "error"
                print(f"{system},{function},{short},{result}", flush=True)


if __name__ == "__main__":
    main()
