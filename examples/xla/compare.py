#!/usr/bin/env python3
"""Compares what XLA gave with what Supremum gave.

    compare.py EXPECTED_DIR OUTDIR [UNITS]

Integers, booleans and conversions have to be equal; floats may differ by one unit in the last place of their dtype, or by
as many as are given (each part of complex numbers, by units of the larger part). NaN equals NaN. Subnormal numbers and zero are equal: XLA's CPU
backend has none of the former.
"""

import pathlib
import re
import sys

import ml_dtypes
import numpy as np

RAW = {
    "bf16": ml_dtypes.bfloat16, "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
}


def read(path, name):
    array = np.load(path, allow_pickle=False)
    return array.view(RAW[name]) if array.dtype.kind == "V" else array


def joined(folder, number, like, name):
    """A result, whole or of the parts that the processes wrote."""
    whole = folder / f"out{number}.npy"
    if whole.exists():
        return read(whole, name)
    result, seen = np.empty_like(like), np.zeros(like.shape, bool)
    for part in folder.glob(f"out{number}.*.npy"):
        ends = re.findall(r"(\d+)-(\d+)", part.name.split(".")[1])
        index = tuple(slice(int(start), int(end)) for start, end in ends)
        result[index], seen[index] = read(part, name), True
    assert seen.all(), f"out{number} is not whole"
    return result


def units(got, expected):
    """By how many units in the last place each element is off; infinite where one is NaN or infinite alone."""
    if expected.dtype.kind == "c":
        part = {8: np.float32, 16: np.float64}[expected.dtype.itemsize]
        got, expected = (array.view(part).reshape(*array.shape, 2) for array in (got, expected))
        size = np.abs(expected).max(-1, keepdims=True) * np.ones_like(expected)
    else:
        size = np.abs(expected)
    info = ml_dtypes.finfo(expected.dtype)
    tiny = float(info.smallest_normal)
    exact = np.longdouble
    with np.errstate(all="ignore"):
        got, expected, size = (array.astype(np.float64) for array in (got, expected, size))
        exponent = np.floor(np.log2(np.maximum(size, tiny)))
        last = np.exp2(exponent.astype(exact) - info.nmant)
        off = np.abs(got.astype(exact) - expected.astype(exact)) / last
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        flushed = (got == 0) & (np.abs(expected) < tiny)
        return np.where(same | flushed, 0, np.where(np.isfinite(off), off, np.inf)).astype(np.float64)


def main(expected_folder, folder, bound):
    failed, worst = 0, 0.0
    lines = (expected_folder / "outputs.txt").read_text().splitlines()
    for number, line in enumerate(lines):
        what, name = line.rsplit(": ", 1)
        expected = read(expected_folder / f"expected{number}.npy", name)
        got = joined(folder, number, expected, name)
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape), line
        is_exact = expected.dtype.kind in "biu" or "cast" in what
        if expected.dtype.kind in "biu":
            off = (got != expected).astype(float)
        else:
            off = units(got, expected)
        worst = max(worst, off.max(initial=0.0))
        if off.max(initial=0.0) > (0.0 if is_exact else bound):
            failed += 1
            at = np.unravel_index(off.argmax(), got.shape + (2,) * (off.ndim - got.ndim))[: got.ndim]
            print(f"  {line}: {got[at]} in place of {expected[at]} at {[int(i) for i in at]}, {off.max():.3g} units; {(off > (0 if is_exact else bound)).sum()} of {off.size}")
    print(f"  {len(lines) - failed} of {len(lines)} results agree; the farthest is {worst:.3g} units in the last place off")
    return failed


if __name__ == "__main__":
    bound = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), bound) != 0)
