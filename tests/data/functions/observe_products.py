"""The dtypes of `einsum`, `tensordot`, `outer`, `kron` and `cross` in each system.

    python observe_products.py jax jax_x32 numpy torch tensorflow array_api > products.csv       # the systems that are installed

`products.csv` is of the systems, versions and machine of `answers.csv`, in the same form; `observe.py` describes both. `einsum1` is
`ij->i`, `einsum2` is `ij,jk->ik`, `einsum3` is `ij,jk,kl->il`. TensorFlow has neither `outer` nor `kron`, and the Array API neither
`einsum` nor `kron`.
"""

import itertools
import sys
import types

from observe import DTYPES, NAMES

OF_THREE = ["i8", "u8", "u16", "bf16", "f16", "f32"]


def jax(x64=True):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", x64)
    return jnp, lambda dtype, shape: jnp.ones(shape, getattr(jnp, dtype)), lambda x: x.dtype.name


def jax_x32():
    return jax(x64=False)


def numpy():
    import ml_dtypes
    import numpy as np

    return np, lambda dtype, shape: np.ones(shape, np.dtype(getattr(ml_dtypes, dtype, None) or dtype)), lambda x: x.dtype.name


def torch():
    import torch

    array = lambda dtype, shape: torch.ones(shape).to(getattr(torch, dtype))
    return torch, array, lambda x: str(x.dtype).removeprefix("torch.")


def tensorflow():
    import tensorflow as tf

    tf.cross = tf.linalg.cross
    return tf, lambda dtype, shape: tf.cast(tf.ones(shape), getattr(tf, dtype)), lambda x: x.dtype.name


def array_api():
    import array_api_strict as xp

    lib = types.SimpleNamespace(
        tensordot=lambda a, b, axes: xp.tensordot(a, b, axes=axes), outer=xp.linalg.outer, cross=xp.linalg.cross)
    return lib, lambda dtype, shape: xp.ones(shape, dtype=getattr(xp, dtype)), lambda x: str(x.dtype).split(".")[-1]


def products(name):
    """Prints the rows of a system."""
    lib, ones, dtype_of = globals()[name]()
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
        if not hasattr(lib, function.rstrip("123")):
            continue
        for operands in itertools.product(OF_THREE if count == 3 else DTYPES, repeat=count):
            try:
                arrays = [ones(DTYPES[operand], shape) for operand in operands]
            except AttributeError:
                continue  # not a dtype of the system
            try:
                found = NAMES[dtype_of(run(*arrays))]
            except Exception:  # of a class of its own in each system
                found = "error"
            print(f"{name},{function},{'+'.join(operands)},{found}", flush=True)


def main():
    print("system,function,operands,result")
    for name in sys.argv[1:]:
        products(name)


if __name__ == "__main__":
    main()
