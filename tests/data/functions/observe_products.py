"""The dtypes of `einsum`, `tensordot`, `outer`, `kron` and `cross` in each system.

    python observe_products.py jax > rows.csv       # or numpy, torch, tensorflow

`products.csv` is of JAX 0.10.2, NumPy 2.4.6 with ml_dtypes 0.6.0, PyTorch 2.15.0 and TensorFlow 2.21.0, on the CPU of one x86-64 machine
with Python 3.11. Each row is `system, function, operands, result`, the operands joined by `+`. `error` means that the system refuses the
operands. `einsum1` is `ij->i`, `einsum2` is `ij,jk->ik`, `einsum3` is `ij,jk,kl->il`.
"""

import itertools
import sys

DTYPES = {
    "bool": "bool", "u8": "uint8", "i8": "int8", "u16": "uint16", "i32": "int32", "i64": "int64", "bf16": "bfloat16",
    "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
}
RESULTS = {"u32": "uint32", "u64": "uint64", "i16": "int16", "c128": "complex128"}
NAMES = {name: short for short, name in (DTYPES | RESULTS).items()}
OF_THREE = ["i8", "u8", "u16", "bf16", "f16", "f32"]


def system(name):
    """The module, a way to make ones, and the name of a result's dtype."""
    if name == "jax":
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        return jnp, lambda dtype, shape: jnp.ones(shape, getattr(jnp, dtype)), lambda x: x.dtype.name
    if name == "numpy":
        import ml_dtypes
        import numpy as np

        return np, lambda dtype, shape: np.ones(shape, np.dtype(getattr(ml_dtypes, dtype, None) or dtype)), lambda x: x.dtype.name
    if name == "torch":
        import torch

        return torch, lambda dtype, shape: torch.ones(shape, dtype=getattr(torch, dtype)), lambda x: str(x.dtype).split(".")[1]
    import tensorflow as tf

    # It has no `outer` and `kron`, and its `cross` is `tf.linalg.cross`.
    tf.cross = tf.linalg.cross
    return tf, lambda dtype, shape: tf.ones(shape, dtype=dtype), lambda x: x.dtype.name


def main(name):
    lib, ones, dtype_of = system(name)
    cases = [
        ("einsum1", 1, lambda a: lib.einsum("ij->i", a), (3, 3)),
        ("einsum2", 2, lambda a, b: lib.einsum("ij,jk->ik", a, b), (3, 3)),
        ("einsum3", 3, lambda a, b, c: lib.einsum("ij,jk,kl->il", a, b, c), (3, 3)),
        ("tensordot", 2, lambda a, b: lib.tensordot(a, b, 1), (3, 3)),
        ("outer", 2, lambda a, b: lib.outer(a, b), (3,)),
        ("kron", 2, lambda a, b: lib.kron(a, b), (3, 3)),
        ("cross", 2, lambda a, b: lib.cross(a, b), (3, 3)),
    ]
    for function, count, run, shape in cases:
        if function in ("outer", "kron") and name == "tensorflow":
            continue
        for operands in itertools.product(OF_THREE if count == 3 else DTYPES, repeat=count):
            try:
                found = NAMES[dtype_of(run(*(ones(DTYPES[operand], shape) for operand in operands)))]
            except Exception:  # of a class of its own in each system
                found = "error"
            print(f"{name},{function},{'+'.join(operands)},{found}")


main(sys.argv[1])
