"""The dtypes of functions' results in each system, which this library has since its operations are rows.

    python observe.py jax numpy torch > answers.csv       # the systems that are installed; tensorflow, too

`answers.csv` is of JAX 0.10.2, NumPy 2.4.6 with ml_dtypes 0.6.0, and PyTorch 2.15.0, on the CPU of one x86-64 machine with Python
3.11. Each row is `system, function, operands, result`, the operands joined by `+`, of arrays of one axis. `error` means that the
system refuses the operands. A function that a system does not have has no rows: NumPy has neither `erf` nor `rsqrt`, PyTorch has no
`cbrt`. `jax.lax.rsqrt` converts no integers. (SciPy's `erf` is not asked: it has loops of f32, f64 and complex numbers only, and promotes otherwise than NumPy.)
"""

import sys

DTYPES = {
    "bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "bf16": "bfloat16", "f16": "float16",
    "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
}
NAMES = {name: short for short, name in DTYPES.items()}
UNARY = ["erf", "erfc", "rsqrt", "cbrt"]


def jax_functions():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    functions = {
        "erf": jax.scipy.special.erf, "erfc": jax.scipy.special.erfc,
        "rsqrt": jax.lax.rsqrt, "cbrt": jnp.cbrt,
    }
    return functions, lambda dtype: jnp.ones(2, getattr(jnp, dtype)), lambda x: x.dtype.name


def numpy_functions():
    import ml_dtypes
    import numpy as np

    def array(dtype):
        return np.ones(2, np.dtype(getattr(ml_dtypes, dtype, None) or dtype))

    return {"cbrt": np.cbrt}, array, lambda x: x.dtype.name


def torch_functions():
    import torch

    functions = {"erf": torch.erf, "erfc": torch.erfc, "rsqrt": torch.rsqrt}
    array = lambda dtype: torch.ones(2).to(getattr(torch, dtype))
    return functions, array, lambda x: str(x.dtype).removeprefix("torch.")


def tensorflow_functions():
    import tensorflow as tf

    functions = {"erf": tf.math.erf, "erfc": tf.math.erfc, "rsqrt": tf.math.rsqrt}
    return functions, lambda dtype: tf.cast(tf.ones(2), getattr(tf, dtype)), lambda x: x.dtype.name


def main():
    print("system,function,operands,result")
    for system in sys.argv[1:]:
        functions, array, name = globals()[f"{system}_functions"]()
        for function in UNARY:
            for short, dtype in DTYPES.items() if function in functions else ():
                try:
                    result = NAMES[name(functions[function](array(dtype)))]
                except Exception:
                    result = "error"
                print(f"{system},{function},{short},{result}")


main()
