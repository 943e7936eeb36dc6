"""What a framework computes at the bounds of each pair of dtypes.

    python observe.py numpy > numpy.csv          # or jax, torch, tensorflow

The files are of NumPy 2.4.6 with ml_dtypes 0.6.0, JAX 0.10.2 (64-bit dtypes enabled), PyTorch 2.15.0 and TensorFlow 2.21.0
(dtype conversion mode `all`), all on the CPU of one x86-64 machine with Python 3.11.

Each row is an operation on two arrays of one axis: `op, lhs, rhs, pairs, out, results`. `pairs` has two letters for each pair
of elements: their positions, from `a` on, in the rows of the dtypes in `elements.csv`, which `python observe.py elements` writes.
Results are the elements' bits in hexadecimal, the most significant digit first, all of one width, without separators;
`x` instead of digits is NaN. `error` in `out` means that the framework refuses the pair.

Not asked, because the library refuses it (or its result is no matter of dtypes): integers divided by zero, the least integer
divided by -1, shifts by negative counts or by the width and more, quotients and order of complex numbers.
"""

import sys

import ml_dtypes
import numpy as np

DTYPES = {
    "bool": np.bool_, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2, "bf16": ml_dtypes.bfloat16,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
OPERATIONS = [
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "minimum", "maximum",
    "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", *COMPARISONS,
]


def kind(name):
    return {"b": "bool", "u": "unsigned", "i": "signed", "f": "float", "c": "complex"}[
        "f" if name == "bf16" else name[0]
    ]


def elements(name):
    """The bounds of a dtype, and values near which others round."""
    dtype = DTYPES[name]
    if kind(name) == "bool":
        return np.array([False, True])
    if kind(name) in ("unsigned", "signed"):
        info = np.iinfo(dtype)
        values = [info.min, info.min + 1, -1, 0, 1, 3, info.max // 2 + 1, info.max - 1, info.max]
        values += [2**bits + 1 for bits in (8, 11, 24, 53)]
        values = sorted({value for value in values if info.min <= value <= info.max})
        return np.array(values, dtype)
    if kind(name) == "complex":
        return np.array([0, 1, -1.5 + 0.5j, 3 - 2j, 16_777_217 + 1j], dtype)
    info = ml_dtypes.finfo(dtype)
    odd = 2.0 ** (info.nmant + 1) - 1  # the last odd number before only even ones are values
    values = [0.0, -0.0, 1.0, -1.5, 3.0, odd, float(info.max), float(info.min), float(info.smallest_normal), np.nan]
    if name != "f8e4m3fn":
        values.append(np.inf)
    return np.array(values, np.float64).astype(dtype)


def pairs(operation, lhs, rhs):
    """The positions of operands: all pairs in comparisons, else each with some."""
    a, b = elements(lhs), elements(rhs)
    if operation in COMPARISONS:
        chosen = [(i, j) for i in range(len(a)) for j in range(len(b))]
    else:
        longest = max(len(a), len(b))
        chosen = sorted({(i % len(a), (i + step) % len(b)) for i in range(longest) for step in (0, 1, 3)})
    return [(i, j) for i, j in chosen if defined(operation, lhs, rhs, a[i], b[j])]


def defined(operation, lhs, rhs, a, b):
    integers = {kind(lhs), kind(rhs)} <= {"bool", "unsigned", "signed"}
    if operation in ("floor_divide", "remainder") and integers:
        return int(b) != 0 and not (int(b) == -1 and kind(lhs) == "signed" and int(a) == np.iinfo(DTYPES[lhs]).min)
    if operation in ("left_shift", "right_shift") and integers:
        return 0 <= int(b) < 8
    if operation == "power":
        return integers and 0 <= int(b) < 64
    return True


def asked(operation, lhs, rhs):
    """Whether the operation means the same everywhere for these kinds."""
    either = {kind(lhs), kind(rhs)}
    if operation == "power":
        return either <= {"bool", "unsigned", "signed"}
    if "complex" in either:
        return operation in ("add", "subtract", "multiply", "equal", "not_equal")
    if operation.startswith("bitwise") or operation.endswith("shift"):
        return either <= {"bool", "unsigned", "signed"}
    return True


def written(array):
    """The bits of each element; all NaN are one."""
    name = NAMES[array.dtype]
    if name == "bool":
        return "".join("1" if element else "0" for element in array)
    parts = array.view(array.real.dtype) if kind(name) == "complex" else array
    words = parts.view(f"u{parts.dtype.itemsize}")
    digits = 2 * parts.dtype.itemsize
    with np.errstate(all="ignore"):
        is_nan = parts != parts
    return "".join("x" * digits if nan else f"{int(word):0{digits}x}" for word, nan in zip(words, is_nan))


def with_numpy():
    def run(operation, a, b):
        with np.errstate(all="ignore"):
            return getattr(np, operation)(a, b)

    return run


def with_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    return lambda operation, a, b: np.asarray(getattr(jnp, operation)(jnp.asarray(a), jnp.asarray(b)))


def with_torch():
    import torch

    same_bits = {"bf16": (np.int16, torch.bfloat16), "f8e4m3fn": (np.uint8, torch.float8_e4m3fn), "f8e5m2": (np.uint8, torch.float8_e5m2)}
    back = {str(dtype): (word, name) for name, (word, dtype) in same_bits.items()}

    def tensor(array):
        name = NAMES[array.dtype]
        if name in same_bits:
            word, dtype = same_bits[name]
            return torch.from_numpy(array.view(word).copy()).view(dtype)
        return torch.from_numpy(array.copy())

    names = {"left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift", "power": "pow"}

    def run(operation, a, b):
        torch_name = {"equal": "eq", "not_equal": "ne"}.get(operation, names.get(operation, operation))
        result = getattr(torch, torch_name)(tensor(a), tensor(b))
        if str(result.dtype) in back:
            word, name = back[str(result.dtype)]
            return result.view(torch.from_numpy(np.empty(0, word)).dtype).numpy().view(DTYPES[name])
        return result.numpy()

    return run


def with_tensorflow():
    import os

    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp

    tf.get_logger().setLevel("ERROR")

    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
    operators = {
        "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
        "divide": lambda a, b: a / b, "floor_divide": lambda a, b: a // b, "remainder": lambda a, b: a % b,
        "power": lambda a, b: a**b, "bitwise_and": lambda a, b: a & b, "bitwise_or": lambda a, b: a | b,
        "bitwise_xor": lambda a, b: a ^ b, "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
        "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b, "greater": lambda a, b: a > b,
        "greater_equal": lambda a, b: a >= b, "minimum": tf.minimum, "maximum": tf.maximum,
        "left_shift": tf.bitwise.left_shift, "right_shift": tf.bitwise.right_shift,
    }
    return lambda operation, a, b: operators[operation](tf.constant(a), tf.constant(b)).numpy()


def main(framework):
    if framework == "elements":
        print("dtype,elements")
        for name in DTYPES:
            print(f"{name},{written(elements(name))}")
        return
    run = {"numpy": with_numpy, "jax": with_jax, "torch": with_torch, "tensorflow": with_tensorflow}[framework]()
    print("op,lhs,rhs,pairs,out,results")
    for operation in OPERATIONS:
        for lhs in DTYPES:
            for rhs in DTYPES:
                if not asked(operation, lhs, rhs):
                    continue
                chosen = pairs(operation, lhs, rhs)
                if not chosen:
                    continue
                a = elements(lhs)[[i for i, _ in chosen]]
                b = elements(rhs)[[j for _, j in chosen]]
                positions = "".join(chr(97 + position) for pair in chosen for position in pair)
                try:
                    result = run(operation, a, b)
                    print(f"{operation},{lhs},{rhs},{positions},{NAMES[result.dtype]},{written(result)}")
                except Exception:
                    print(f"{operation},{lhs},{rhs},{positions},error,")


main(sys.argv[1])
