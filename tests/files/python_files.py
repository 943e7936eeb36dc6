"""The Python half of scripts/files_check: writes files, and compares what `python_files.rs` made of them."""

import sys
from pathlib import Path

import ml_dtypes
import numpy as np
from safetensors import deserialize, safe_open
from safetensors.numpy import save_file

DTYPES = {
    "bool": np.bool_,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e5m2": ml_dtypes.float8_e5m2,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
}
# What NumPy has no names for.
RAW = ["f8e4m3fn", "f8e5m2", "bf16"]
# What safetensors calls otherwise, and what it does not have.
SAFETENSORS_NAMES = {"f8e4m3fn": "F8_E4M3", "f8e5m2": "F8_E5M2"}
NOT_IN_SAFETENSORS = ["c128"]


def cases():
    """Each dtype in each layout, by `dtype.layout`. Element number k, in row-major order, is k % 5."""
    for name, dtype in DTYPES.items():
        of = lambda *shape: (np.arange(np.prod(shape, dtype=int)) % 5).astype(dtype).reshape(shape)
        yield f"{name}.c", of(2, 3, 4)
        yield f"{name}.fortran", np.asfortranarray(of(2, 3, 4))
        yield f"{name}.big", of(7).astype(np.dtype(dtype).newbyteorder(">"))
        yield f"{name}.big_fortran", np.asfortranarray(of(3, 5)).astype(np.dtype(dtype).newbyteorder(">"), order="F")
        yield f"{name}.strided", of(6, 4).T[::2]
        yield f"{name}.empty", of(0, 3)
        yield f"{name}.rank_0", of()
        yield f"{name}.raw", of(5)


def write(folder):
    arrays = dict(cases())
    for name, array in arrays.items():
        # NumPy alone knows such elements as bytes without a name.
        raw = name.endswith(".raw") and name.split(".")[0] in RAW
        np.save(folder / f"{name}.npy", array.view(f"V{array.itemsize}") if raw else array)
    np.savez(folder / "stored.npz", **arrays)
    np.savez_compressed(folder / "deflated.npz", **arrays)
    # The package writes memory as it lies, in whatever order (0.8.0).
    native = {
        name: array.copy(order="C")
        for name, array in arrays.items()
        if "big" not in name and name.split(".")[0] not in NOT_IN_SAFETENSORS
    }
    save_file(native, folder / "model.safetensors", {"format": "np"})


def equal(name, found, raw):
    """Whether an array is that of the case, bit by bit."""
    dtype, expected = DTYPES[name.split(".")[0]], dict(cases())[name]
    if raw:
        assert found.dtype.kind == "V", f"{name}: {found.dtype}"
        found = found.view(dtype)
    assert found.dtype == np.dtype(dtype), f"{name}: {found.dtype}"
    assert found.shape == expected.shape, f"{name}: {found.shape}"
    assert found.tobytes() == expected.astype(dtype).tobytes(), f"{name}: {found}"


def compare(folder):
    out = folder / "out"
    count = 0
    raw = lambda name: name.split(".")[0] in RAW
    for name, array in cases():
        found = np.load(out / f"{name}.npy")
        equal(name, found, raw(name))
        if name.endswith(".fortran"):
            assert found.flags.f_contiguous, f"{name}: the order was lost"
        count += 1
    for file in ["stored.npz", "deflated.npz"]:
        with np.load(out / file) as archive:
            assert sorted(archive) == sorted(name for name, _ in cases())
            for name in archive:
                equal(name, archive[name], raw(name))
                count += 1
    with safe_open(out / "model.safetensors", "np") as file:
        assert file.metadata() == {"format": "np"}
        names = [name for name, _ in cases() if "big" not in name and name.split(".")[0] not in NOT_IN_SAFETENSORS]
        assert sorted(file.keys()) == sorted(names)
    # The package reads bf16 and 8-bit floats, but has no way to NumPy for them.
    tensors = dict(deserialize((out / "model.safetensors").read_bytes()))
    for name in names:
        tensor = tensors[name]
        dtype = name.split(".")[0]
        assert tensor["dtype"] == SAFETENSORS_NAMES.get(dtype, dtype.upper()), f"{name}: {tensor['dtype']}"
        equal(name, np.frombuffer(tensor["data"], DTYPES[dtype]).reshape(tensor["shape"]), False)
        count += 1
    print(f"{count} arrays went to Rust and came back the same")


{"write": write, "compare": compare}[sys.argv[1]](Path(sys.argv[2]))
