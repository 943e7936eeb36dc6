"""The dtypes of functions' results in each system, which this library has since its operations are rows.

    python observe.py jax jax_x32 numpy array_api torch tensorflow > answers.csv       # the systems that are installed

`answers.csv` is of JAX 0.10.2, NumPy 2.4.6 with ml_dtypes 0.6.0, array-api-strict 2.6.1, PyTorch 2.15.0 and TensorFlow 2.21.0, on the
CPU of one x86-64 machine with Python 3.11. Each row is `system, function, operands, result`, the operands joined by `+`, of arrays of
one axis. `error` means that the system refuses the operands. A function or dtype that a system does not have has no rows: NumPy has
neither `erf` nor `rsqrt`, PyTorch has no `cbrt`, TensorFlow has neither `hypot` nor `copysign` but in `tf.experimental.numpy`. NumPy's
`cummax` and `cummin` are `maximum.accumulate` and `minimum.accumulate`, and so are JAX's (`jax.lax.cummax` and `cummin` refuse
booleans). The parameters of `leaky_relu` and `elu` are arrays in JAX only. `jax.lax.rsqrt` converts no integers. JAX has no pooling of its own, and NumPy neither that nor a convolution of channels.
(SciPy's `erf` is not asked: it has loops of f32, f64 and complex numbers only, and promotes otherwise than NumPy.)

The system `jax_x32` is JAX with its default settings, `jax` has `jax_enable_x64`. JAX without 64-bit dtypes converts operands of 64 bits
when it makes them: the operand `i64` is then an array of the dtype `int32`, and `c128` one of `complex64`. `interp` is of `x`, of the same
vector as points, and of the second operand as values. `cov` and `corrcoef` are of two rows.

The rows of functions and systems that came later stand at the end. Rows of the Array API's functions of two operands, and of TensorFlow's
`erf`, `erfc`, `rsqrt` and `next_after`, say `error` for dtypes that these systems do not have; the script no longer writes such rows.
"""

import sys

DTYPES = {
    "bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "bf16": "bfloat16", "f16": "float16",
    "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
}
NAMES = {name: short for short, name in DTYPES.items()}
UNARY = [
    "erf", "erfc", "rsqrt", "cbrt", "asinh", "acosh", "atanh", "is_sign_negative",
    "nan_sum", "nan_mean", "nan_min", "nan_max", "nan_var", "nan_std",
    "nan_prod", "nan_argmin", "nan_argmax", "cumprod", "cummax", "cummin",
    "relu", "gelu", "gelu_tanh", "silu", "softplus", "softmax", "log_softmax", "log_sum_exp",
    "norm", "norm_1", "norm_inf", "conv1d", "max_pool1d", "avg_pool1d", "conv2d", "max_pool2d", "avg_pool2d", "cov", "corrcoef",
]
BINARY = ["hypot", "log_add_exp", "copysign", "next_after", "leaky_relu", "elu", "interp"]


def jax_functions(x64=True):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", x64)
    functions = {
        "erf": jax.scipy.special.erf, "erfc": jax.scipy.special.erfc,
        "rsqrt": jax.lax.rsqrt, "cbrt": jnp.cbrt,
        "is_sign_negative": jnp.signbit,
        "asinh": jnp.asinh, "acosh": jnp.acosh, "atanh": jnp.atanh,
        "nan_sum": jnp.nansum, "nan_mean": jnp.nanmean, "nan_min": jnp.nanmin, "nan_max": jnp.nanmax,
        "nan_var": jnp.nanvar, "nan_std": jnp.nanstd,
        "nan_prod": jnp.nanprod, "nan_argmin": jnp.nanargmin, "nan_argmax": jnp.nanargmax,
        "cumprod": jnp.cumprod, "cummax": jnp.maximum.accumulate, "cummin": jnp.minimum.accumulate,
        "hypot": jnp.hypot, "log_add_exp": jnp.logaddexp,
        "copysign": jnp.copysign, "next_after": jnp.nextafter,
        "leaky_relu": jax.nn.leaky_relu, "elu": jax.nn.elu,
        "relu": jax.nn.relu, "silu": jax.nn.silu, "softplus": jax.nn.softplus,
        "gelu": lambda x: jax.nn.gelu(x, approximate=False), "gelu_tanh": jax.nn.gelu,
        "softmax": jax.nn.softmax, "log_softmax": jax.nn.log_softmax, "log_sum_exp": jax.nn.logsumexp,
        "norm": jnp.linalg.norm,
        "norm_1": lambda x: jnp.linalg.norm(x, 1), "norm_inf": lambda x: jnp.linalg.norm(x, jnp.inf),
        "conv1d": lambda x: jax.lax.conv(x[None, None], x[None, None], [1], "VALID"),
        "conv2d": lambda x: jax.lax.conv(x[None, None, None], x[None, None, None], [1, 1], "VALID"),
        "cov": lambda x: jnp.cov(jnp.stack([x, x])), "corrcoef": lambda x: jnp.corrcoef(jnp.stack([x, x])),
        "interp": lambda x, values: jnp.interp(x, x, values),
    }
    return functions, lambda dtype: jnp.ones(2, getattr(jnp, dtype)), lambda x: x.dtype.name


def jax_x32_functions():
    return jax_functions(x64=False)


def numpy_functions():
    import ml_dtypes
    import numpy as np

    def array(dtype):
        return np.ones(2, np.dtype(getattr(ml_dtypes, dtype, None) or dtype))

    functions = {
        "is_sign_negative": np.signbit,
        "asinh": np.asinh, "acosh": np.acosh, "atanh": np.atanh,
        "cbrt": np.cbrt, "hypot": np.hypot, "log_add_exp": np.logaddexp,
        "copysign": np.copysign, "next_after": np.nextafter,
        "nan_sum": np.nansum, "nan_mean": np.nanmean, "nan_min": np.nanmin, "nan_max": np.nanmax,
        "nan_var": np.nanvar, "nan_std": np.nanstd,
        "nan_prod": np.nanprod, "nan_argmin": np.nanargmin, "nan_argmax": np.nanargmax,
        "cumprod": np.cumprod, "cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate,
        "norm": np.linalg.norm,
        "norm_1": lambda x: np.linalg.norm(x, 1), "norm_inf": lambda x: np.linalg.norm(x, np.inf),
        "cov": lambda x: np.cov(np.stack([x, x])), "corrcoef": lambda x: np.corrcoef(np.stack([x, x])),
        "interp": lambda x, values: np.interp(x, x, values),
    }
    return functions, array, lambda x: x.dtype.name


def array_api_functions():
    import array_api_strict as xp

    functions = {
        "is_sign_negative": xp.signbit,
        "asinh": xp.asinh, "acosh": xp.acosh, "atanh": xp.atanh,
        "hypot": xp.hypot, "log_add_exp": xp.logaddexp, "copysign": xp.copysign, "next_after": xp.nextafter,
        "cumprod": xp.cumulative_prod,
        "norm": xp.linalg.vector_norm, "norm_1": lambda x: xp.linalg.vector_norm(x, ord=1),
        "norm_inf": lambda x: xp.linalg.vector_norm(x, ord=float("inf")),
    }
    return functions, lambda dtype: xp.ones(2, dtype=getattr(xp, dtype)), lambda x: str(x.dtype).split(".")[-1]


def torch_functions():
    import torch
    import torch.nn.functional as F

    functions = {
        "erf": torch.erf, "erfc": torch.erfc, "rsqrt": torch.rsqrt,
        "is_sign_negative": torch.signbit,
        "asinh": torch.asinh, "acosh": torch.acosh, "atanh": torch.atanh,
        "nan_sum": torch.nansum, "nan_mean": torch.nanmean,
        "cumprod": lambda x: torch.cumprod(x, 0),
        "cummax": lambda x: torch.cummax(x, 0).values, "cummin": lambda x: torch.cummin(x, 0).values,
        "hypot": torch.hypot, "log_add_exp": torch.logaddexp,
        "copysign": torch.copysign, "next_after": torch.nextafter,
        "relu": F.relu, "silu": F.silu, "softplus": F.softplus,
        "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
        "softmax": lambda x: F.softmax(x, 0), "log_softmax": lambda x: F.log_softmax(x, 0),
        "log_sum_exp": lambda x: torch.logsumexp(x, 0),
        "norm": torch.linalg.vector_norm, "norm_1": lambda x: torch.linalg.vector_norm(x, 1),
        "norm_inf": lambda x: torch.linalg.vector_norm(x, float("inf")),
        "conv1d": lambda x: F.conv1d(x[None, None], x[None, None]),
        "max_pool1d": lambda x: F.max_pool1d(x[None, None], 2), "avg_pool1d": lambda x: F.avg_pool1d(x[None, None], 2),
        "conv2d": lambda x: F.conv2d(x[None, None, None], x[None, None, None]),
        "max_pool2d": lambda x: F.max_pool2d(x[None, None, None], [1, 2]),
        "avg_pool2d": lambda x: F.avg_pool2d(x[None, None, None], [1, 2]),
        "cov": lambda x: torch.cov(torch.stack([x, x])), "corrcoef": lambda x: torch.corrcoef(torch.stack([x, x])),
    }
    array = lambda dtype: torch.ones(2).to(getattr(torch, dtype))
    return functions, array, lambda x: str(x.dtype).removeprefix("torch.")


def tensorflow_functions():
    import tensorflow as tf

    functions = {
        "erf": tf.math.erf, "erfc": tf.math.erfc, "rsqrt": tf.math.rsqrt,
        "asinh": tf.math.asinh, "acosh": tf.math.acosh, "atanh": tf.math.atanh, "next_after": tf.math.nextafter,
        "cumprod": tf.math.cumprod,
        "relu": tf.nn.relu, "silu": tf.nn.silu, "softplus": tf.nn.softplus,
        "gelu": tf.nn.gelu, "gelu_tanh": lambda x: tf.nn.gelu(x, approximate=True),
        "softmax": tf.nn.softmax, "log_softmax": tf.nn.log_softmax, "log_sum_exp": tf.reduce_logsumexp,
        "norm": tf.norm, "norm_1": lambda x: tf.norm(x, 1), "norm_inf": lambda x: tf.norm(x, float("inf")),
        "conv1d": lambda x: tf.nn.conv1d(x[None, :, None], x[:, None, None], 1, "VALID"),
        "max_pool1d": lambda x: tf.nn.max_pool1d(x[None, :, None], 2, 2, "VALID"),
        "avg_pool1d": lambda x: tf.nn.avg_pool1d(x[None, :, None], 2, 2, "VALID"),
        "conv2d": lambda x: tf.nn.conv2d(x[None, None, :, None], x[None, :, None, None], 1, "VALID"),
        "max_pool2d": lambda x: tf.nn.max_pool2d(x[None, None, :, None], [1, 2], [1, 2], "VALID"),
        "avg_pool2d": lambda x: tf.nn.avg_pool2d(x[None, None, :, None], [1, 2], [1, 2], "VALID"),
    }
    return functions, lambda dtype: tf.cast(tf.ones(2), getattr(tf, dtype)), lambda x: x.dtype.name


def main():
    print("system,function,operands,result")
    for system in sys.argv[1:]:
        functions, array, name = globals()[f"{system}_functions"]()
        for function in UNARY + BINARY:
            names = [(short,) for short in DTYPES]
            if function in BINARY:
                names = [(a, b) for a in DTYPES for b in DTYPES]
            for operands in names if function in functions else ():
                try:
                    arrays = [array(DTYPES[short]) for short in operands]
                except AttributeError:
                    continue  # not a dtype of the system
                try:
                    result = NAMES[name(functions[function](*arrays))]
                except Exception:
                    result = "error"
                print(f"{system},{function},{'+'.join(operands)},{result}", flush=True)


if __name__ == "__main__":
    main()
