"""Checks `data/` against its README, the safetensors package, a parse by hand, and JAX itself.

    python check.py

The last part runs the pipeline of data/README.md in JAX, without casts that JAX does not need,
and compares dtypes and logits with `expected_logits.npy`. It is skipped where jax is missing.
"""

import hashlib
import json
import re
import struct

import numpy as np
import safetensors.numpy

from train import BF16, DATA, F16, F32, STORED, forward_f32, forward_mixed, matmul_bf16


def parse(path):
    """Reads a safetensors file from its bytes: length, JSON, payload without gaps."""
    raw = path.read_bytes()
    (length,) = struct.unpack_from("<Q", raw)
    header, payload = json.loads(raw[8 : 8 + length]), raw[8 + length :]
    assert length % 8 == 0
    metadata, kinds, tensors, end = header.pop("__metadata__"), {v: k for k, v in STORED.items()}, {}, 0
    for name, entry in header.items():
        start, stop = entry["data_offsets"]
        kind = kinds[entry["dtype"]]
        assert start == end and start % kind.itemsize == 0
        tensors[name] = np.frombuffer(payload[start:stop], kind).reshape(entry["shape"])
        end = stop
    assert end == len(payload)
    return metadata, tensors


def check_model(name):
    metadata, tensors = parse(DATA / name)
    loaded = safetensors.numpy.load_file(DATA / name)
    assert loaded.keys() == tensors.keys()
    for key, t in tensors.items():
        assert loaded[key].dtype == t.dtype and loaded[key].tobytes() == t.tobytes()
        assert np.isfinite(t.astype(F32)).all()
        print(f"  {key:12} {t.dtype!s:9} {list(t.shape)}")
    with safetensors.safe_open(DATA / name, "numpy") as f:
        assert f.metadata() == metadata
    print(f"  {metadata}")
    return tensors


def other_sums(model, held_out):
    """The mixed pass with other orders of summation, to see how far a correct kernel may stray."""
    def reverse(a, b):
        return matmul_bf16(a[:, ::-1], b[::-1])

    def lanes(a, b, count=8):
        parts = [np.zeros((len(a), b.shape[1]), F32) for _ in range(count)]
        for k in range(a.shape[1]):
            parts[k % count] += a[:, k, None].astype(F32) * b[None, k].astype(F32)
        return sum(parts[1:], parts[0]).astype(BF16)

    def exact(a, b):
        return (a.astype(np.float64) @ b.astype(np.float64)).astype(BF16)

    return {f.__name__: forward_mixed(model, held_out, f) for f in (reverse, lanes, exact)}


def in_jax(model, held_out):
    import jax
    import jax.numpy as jnp

    w = {name: jnp.asarray(t) for name, t in model.items()}
    x = jnp.asarray(held_out).reshape(-1, 64)
    steps = [x]
    steps.append(x := (x - w["norm.mean"]) * w["norm.inv_std"])
    steps.append(x := x.astype(jnp.bfloat16) @ w["fc1.weight"])
    steps.append(x := jnp.maximum(x + w["fc1.bias"], 0))
    steps.append(x := x.astype(jnp.bfloat16) @ w["fc2.weight"])
    steps.append(x := x + w["fc2.bias"])
    kinds = [str(s.dtype) for s in steps]
    assert kinds == ["uint8", "float32", "bfloat16", "float32", "bfloat16", "float32"], kinds
    print(f"jax {jax.__version__}:", " -> ".join(kinds))
    return np.asarray(x)


def main():
    readme = (DATA / "README.md").read_text()
    sums = dict(re.findall(r"`([\w.]+)` +\| `([0-9a-f]{64})`", readme))
    files = {p.name for p in DATA.iterdir()} - {"README.md"}
    assert sums.keys() == files, sums.keys() ^ files
    for name, want in sums.items():
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == want, name
    arrays = {name[:-4]: np.load(DATA / name) for name in sorted(sums) if name.endswith(".npy")}
    for name, a in arrays.items():
        assert a.flags.c_contiguous
        print(f"{name}: {a.dtype} {list(a.shape)}")
    print("model.safetensors")
    mixed = check_model("model.safetensors")
    print("model_f32.safetensors")
    full = check_model("model_f32.safetensors")
    for name, t in mixed.items():
        assert (full[name].astype(t.dtype) == t).all(), name

    at = arrays["test_indices"]
    assert (np.diff(at.astype(int)) > 0).all()
    held_out, truth = arrays["images"][at], arrays["labels"][at]
    print("held out per class:", np.bincount(truth).tolist())
    expected = forward_mixed(mixed, held_out)
    kept = arrays["expected_logits"]
    assert (expected[: len(kept)] == kept).all()
    runs = {"f32": forward_f32(full, held_out), "mixed": expected} | other_sums(mixed, held_out)
    try:
        runs["jax"] = in_jax(mixed, held_out)
    except ImportError:
        print("jax is not installed: skipped")
    for name, logits in runs.items():
        picks, ranked = logits.argmax(axis=1), np.sort(logits, axis=1)
        print(
            f"{name:8} correct {(picks == truth).sum()}/{len(truth)}, least margin"
            f" {(ranked[:, -1] - ranked[:, -2]).min():.4f}, farthest from mixed"
            f" {np.abs(logits - expected).max():.4f}, on the kept logits"
            f" {np.abs(logits[: len(kept)] - kept).max():.4f}"
        )
    print(f"kept logits lie in {kept.min():.3f}..{kept.max():.3f}")
    wrong = np.flatnonzero(expected.argmax(axis=1) != truth)
    for i in wrong:
        print(f"mistaken: image {at[i]} (held-out {i}), a {truth[i]} taken for {expected[i].argmax()}")


if __name__ == "__main__":
    main()
