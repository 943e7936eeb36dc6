#!/usr/bin/env python3
"""Times the cases of cases.txt in NumPy and PyTorch on one thread, and prints the lines that src/main.rs prints for Supremum.

    peers.py [OPERATION or GROUP ..]

Without arguments it times all cases. NumPy is not timed for bf16, which it does not have.
"""

import os

os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")})

import math
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

# In nanoseconds: how long each case is timed; runs that are shorter than `SHORTEST` are repeated and timed together.
BUDGET, SHORTEST = 20_000_000, 30_000
NUMPY = {"F32": "float32", "F64": "float64", "F16": "float16", "I8": "int8", "U8": "uint8", "I32": "int32", "I64": "int64"}
NUMPY |= {"Bool": "bool", "C64": "complex64"}
TORCH = NUMPY | {"BF16": "bfloat16"}
INTEGERS = ("I8", "U8", "I32", "I64")


def put(a, indices, updates):
    out = a.copy()
    out[indices] = updates
    return out


def add_at(a, indices, updates):
    out = a.copy()
    np.add.at(out, indices, updates)
    return out


def max_at(a, indices, updates):
    out = a.copy()
    np.maximum.at(out, indices, updates)
    return out


def cases():
    """The group, the operation, the dtypes, the operands and the two expressions of each line."""
    group = ""
    for line in (Path(__file__).parent / "cases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith("#"):
            operation, dtypes, operands, *code = [column.strip() for column in line.split("|")]
            arguments = ", ".join("abc"[: len(operands.split())])
            code = code + [""] * (2 - len(code))
            code = [of or f"{library}.{operation}({arguments})" for of, library in zip(code, ("np", "torch"))]
            yield group, operation, dtypes.split(), operands.split(), code


def hashed(count, seed):
    """Avalanching hashes of 32 bits."""
    bits = np.arange(count, dtype=np.uint32) * np.uint32(0x9E3779B1) + np.uint32(seed * 0x85EBCA6B % (1 << 32))
    bits = (bits ^ (bits >> 16)) * np.uint32(0x7FEB352D)
    bits = (bits ^ (bits >> 15)) * np.uint32(0x846CA68B)
    return bits ^ (bits >> 16)


def numbers(kind, dtype, count, seed):
    """The kinds of elements. `src/operands.rs` makes the same."""
    bits = hashed(count, seed)
    share = (bits >> 8) / (1 << 24)
    integer = dtype in INTEGERS
    name, _, of = kind.partition("=")
    if name == "index":  # positions below a number, of dtype I64
        return bits % int(of)
    if name == "mask":  # booleans, of which half are true
        return bits % 2
    if name == "sparse":  # booleans, of which one in 50 is true
        return bits % 50 == 0
    if name in ("zero", "one"):
        return np.full(count, int(name == "one"))
    if name == "few":  # a hundred different numbers
        return bits % 100
    if name == "sorted":
        return np.arange(count) if integer else np.arange(count) / count * 8 - 4
    if name == "pos":  # positive
        return 1 + bits % 100 if integer else 0.1 + 3.9 * share
    if name in ("small", "above"):  # from 1 to 4, or integers up to 6
        return 1 + bits % 6 if integer and name == "small" else 1 + 3 * share
    if name == "unit":  # between -1 and 1
        return (bits % 3).astype("int64") - 1 if integer else 1.98 * share - 0.99
    assert not name, f"cases.txt: `{kind}` is no kind of elements"
    if dtype in INTEGERS + ("Bool",):
        count, below = {"Bool": (2, 0), "I8": (256, 128), "U8": (256, 0)}.get(dtype, (2_000_001, 1_000_000))
        return (bits % count).astype("int64") - below
    return 8 * share - 4


def operand(text, dtype, seed):
    """The operand that the list writes so, as a tensor of PyTorch."""
    shape, *kinds = text.split("/")
    shape = [int(size) for size in shape.split("x")]
    kind = "".join(kind for kind in kinds if kind != "T")
    shape = shape[::-1] if "T" in kinds else shape
    values = numbers(kind, dtype, math.prod(shape), seed)
    if dtype == "C64" and kind.partition("=")[0] not in ("index", "mask", "sparse"):
        values = values + 1j * numbers(kind, dtype, math.prod(shape), seed + 100)
    of = {"index": "int64", "mask": "bool", "sparse": "bool"}.get(kind.partition("=")[0], TORCH[dtype])
    wide = "complex128" if dtype == "C64" and of == "complex64" else "float64"
    made = torch.from_numpy(values.astype(wide).reshape(shape)).to(getattr(torch, of))
    return made.T if "T" in kinds else made


def least(run):
    """The least time of a run, in microseconds."""

    def sample(repeats):
        start = time.perf_counter_ns()
        for _ in range(repeats):
            run()
        return time.perf_counter_ns() - start

    repeats = 1
    while sample(repeats) < SHORTEST:
        repeats *= 2
    start, found = time.perf_counter_ns(), sample(repeats)
    while time.perf_counter_ns() - start < BUDGET:
        found = min(found, sample(repeats))
    return found / repeats / 1e3


def mean_magnitude(result):
    if isinstance(result, np.ndarray) or np.isscalar(result):
        result = torch.from_numpy(np.ascontiguousarray(result))
    result = result.abs() if result.is_complex() else result
    magnitudes = result.to(torch.float64).abs()
    magnitudes = magnitudes[magnitudes.isfinite()]
    return result.numel(), magnitudes.sum().item() / max(magnitudes.numel(), 1)


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    only = sys.argv[1:]
    for group, operation, dtypes, operands, code in cases():
        if only and operation not in only and group not in only:
            continue
        for dtype in dtypes:
            tensors = [operand(text, dtype, seed) for seed, text in enumerate(operands)]
            for library, expression in zip(("numpy", "torch"), code):
                if expression == "-" or (library == "numpy" and dtype not in NUMPY):
                    continue
                arguments = [tensor.numpy() for tensor in tensors] if library == "numpy" else tensors
                names = dict(zip("abc", arguments)) | {"np": np, "torch": torch, "F": F}
                run = eval(f"lambda: {expression}", globals() | names)
                case = f"{operation} {' '.join(operands)}"
                try:
                    elements, mean = mean_magnitude(run())
                    microseconds = least(run)
                except (NotImplementedError, RuntimeError, TypeError, ValueError, IndexError) as error:
                    (reason, *_) = str(error).splitlines() or [type(error).__name__]
                    print(f"{library} has no {case} of {dtype}: {reason}", file=sys.stderr)
                    continue
                print(f"{group},{case},{dtype},{library},{microseconds:.3f},{elements},{mean:.6e}", flush=True)


if __name__ == "__main__":
    main()
