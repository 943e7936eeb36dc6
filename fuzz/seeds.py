#!/usr/bin/env python3
"""Writes the first corpus of each target: small files as NumPy and safetensors write them, and some that lie.

Needs numpy, ml_dtypes and safetensors.
"""

import io
import json
import re
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
from safetensors.numpy import save

CORPUS = Path(__file__).parent / "corpus"
DTYPES = ["?", "u1", "<u2", ">i4", "<i8", "<f2", ">f4", "<f8", "<c8", ">c16", "V2", "V1"]


def seed(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def safetensors(header, data=b"", length=None):
    text = json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


for dtype in DTYPES:
    array = np.zeros((2, 3), dtype)
    seed("npy", f"{array.dtype.kind}{array.dtype.itemsize}", npy(array))
for name in ["bfloat16", "float8_e4m3fn", "float8_e5m2"]:
    seed("npy", name, npy(np.ones(3, getattr(ml_dtypes, name))))
seed("npy", "fortran", npy(np.asfortranarray(np.arange(6, dtype="<u2").reshape(2, 3))))
seed("npy", "rank_0", npy(np.float16(1.5)))
seed("npy", "empty", npy(np.zeros((0, 3), "<f4")))
seed("npy", "records", npy(np.zeros(2, [("a", "<f4"), ("b", "u1")])))
seed("npy", "version_2", npy(np.ones(2, "u1")).replace(b"\x01\x00v\x00", b"\x02\x00t\x00\x00\x00"))

for name, write in [("stored", np.savez), ("deflated", np.savez_compressed)]:
    file = io.BytesIO()
    write(file, a=np.arange(4, dtype="<f2"), b=np.ones((2, 2), ml_dtypes.bfloat16), c=np.zeros(40))
    seed("npz", name, file.getvalue())
file = io.BytesIO()
with zipfile.ZipFile(file, "w") as archive:
    archive.writestr("a.txt", "no array")
seed("npz", "text", file.getvalue())

tensors = {
    "w": np.ones((2, 2), "f4"),
    "layers.0.b": np.array([True, False]),
    "h": np.ones(3, ml_dtypes.bfloat16),
    "e": np.zeros((0, 2), "i8"),
}
seed("safetensors", "four", save(tensors, {"format": "np"}))
seed("safetensors", "none", save({}))
entry = {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}
seed("safetensors", "odd", safetensors({"a": entry, "f": {"dtype": "F32", "shape": [1], "data_offsets": [3, 7]}}, b"1234567"))
seed("safetensors", "not_bool", safetensors({"layers.0.b": entry | {"dtype": "BOOL"}}, b"\0\1\2"))
seed("safetensors", "truncated", safetensors({"a": entry}, b"12"))
seed("safetensors", "long_header", safetensors({"a": entry}, b"123", 1 << 40))
most = (1 << 61) - 1
huge = {"dtype": "U8", "shape": [most]}
chain = {f"t{i}": huge | {"data_offsets": [i * most, (i + 1) * most]} for i in range(8)}
seed("safetensors", "lengths_overflow_in_sum", safetensors(chain))

for number in range(17):
    seed("round_trip", f"dtype_{number}", bytes([number, 2, 3, 4, number, 8, 101, 99, 0, 255]))
seed("round_trip", "rank_0", bytes([10, 0, 0, 0, 150]))
seed("round_trip", "empty", bytes([11, 3, 2, 0, 3, 0, 0]))

# The rule sets in the documentation of `promotion_rules!`, each as one line after another.
documentation = (CORPUS.parent.parent / "src/rules/define.rs").read_text()
documentation = re.sub(r"^\s*/// ?", "", documentation, flags=re.M)
for number, match in enumerate(re.finditer(r"^promotion_rules! \{\n(.*?)^\}", documentation, re.M | re.S)):
    seed("rules", f"documented_{number}", match[1].encode())

# Rules, inputs by dtype and shape, a constant, then steps of five bytes.
f32, i32, bf16 = 13, 7, 11
seed("trace", "add_and_sum", bytes([0, 1, f32, 2, 2, 3, bf16, 1, 3, f32, 0, 0, 0, 1, 0, 0, 50, 3, 0, 0, 1]))
seed("trace", "matmul", bytes([1, 1, f32, 2, 2, 3, f32, 2, 3, 4, f32, 0, 27, 0, 1, 0, 0, 44, 3, 0, 0, 0]))
seed("trace", "divide", bytes([0, 0, i32, 1, 4, i32, 1, 4, 5, 0, 1, 0, 0, 1, 0, 0, 0, 0, 4, 0, 3, 0, 0]))
seed("trace", "views", bytes([2, 0, f32, 3, 2, 3, 4, f32, 0, 62, 0, 0, 1, 0, 64, 2, 0, 1, 1, 63, 3, 0, 1, 4, 31, 4, 4, 0, 1]))
seed("trace", "fused", bytes([0, 1, f32, 1, 3, f32, 0, f32, 0, 71, 0, 1, 0, 0, 59, 3, 0, 0, 1, 61, 3, 0, 0, 1]))
