"""Makes everything in `data/` except its README: images, labels, split, model, expected logits.

    python -m pip install -r requirements.txt
    python train.py                     # writes data/, prints the figures of data/README.md
    python train.py --cross-validate    # scores candidate settings on the training part only

The classifier is an MLP, 64 -> HIDDEN -> 10 with ReLU, trained in f32 by Adam on images shifted by
up to one pixel. Every random draw comes from one seeded generator and BLAS runs on one thread, so
a second run on the same machine gives the same bytes; another BLAS may round differently.
"""

import os

os.environ.update({f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")})

import hashlib
import json
import struct
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, train_test_split

DATA = Path(__file__).parent / "data"
SPLIT_SEED = 0
TRAIN_SEED = 0
TEST_SIZE = 450
HIDDEN = 48
EPOCHS = 120
BATCH = 32
RATE = 3e-3
DECAY = 1e-1
SHIFT = 0.5  # share of images moved by at most one pixel
LOGITS_KEPT = 16

BF16 = ml_dtypes.bfloat16
F16, F32 = np.float16, np.float32


# --- data -----------------------------------------------------------------------------------------


def load():
    """Images as u8 [1797, 8, 8] in 0..=16 and labels as u8 [1797]."""
    bunch = load_digits()
    images = np.ascontiguousarray(bunch.images.astype(np.uint8))
    labels = bunch.target.astype(np.uint8)
    assert (images == bunch.images).all() and images.max() == 16
    return images, labels


def split(labels):
    """Training and held-out indices, both ascending; every class keeps its share."""
    everything = np.arange(len(labels))
    train, test = train_test_split(
        everything, test_size=TEST_SIZE, stratify=labels, random_state=SPLIT_SEED
    )
    return np.sort(train), np.sort(test)


def shifted(images, rng):
    """Moves a share of the images by -1, 0 or 1 pixels along each axis, filling with zeros."""
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    moved = rng.random(len(images)) < SHIFT
    offsets = np.where(moved[:, None], rng.integers(0, 3, (len(images), 2)), 1)
    rows = offsets[:, 0, None, None] + np.arange(8)[:, None]
    columns = offsets[:, 1, None, None] + np.arange(8)
    return padded[np.arange(len(images))[:, None, None], rows, columns]


# --- model ----------------------------------------------------------------------------------------


def norm_constants(images):
    """Per-pixel mean and 1 / max(std, 1): a pixel that hardly varies is not blown up."""
    pixels = images.reshape(-1, 64).astype(np.float64)
    std = np.maximum(pixels.std(axis=0), 1.0)
    return pixels.mean(axis=0).astype(F32), (1.0 / std).astype(F32)


def train(images, labels, hidden, epochs, decay, seed):
    """Trains in f32 and returns the named f32 tensors."""
    rng = np.random.default_rng(seed)
    mean, inv_std = norm_constants(images)
    params = [
        (rng.standard_normal((64, hidden)) * np.sqrt(2 / 64)).astype(F32),
        np.zeros(hidden, F32),
        (rng.standard_normal((hidden, 10)) * np.sqrt(1 / hidden)).astype(F32),
        np.zeros(10, F32),
    ]
    first = [np.zeros_like(p) for p in params]
    second = [np.zeros_like(p) for p in params]
    batches = len(images) // BATCH
    step, steps = 0, epochs * batches
    for _ in range(epochs):
        order = rng.permutation(len(images))
        augmented = shifted(images, rng).reshape(-1, 64)
        for batch in np.array_split(order, batches):
            x = (augmented[batch] - mean) * inv_std
            hidden_out = np.maximum(x @ params[0] + params[1], 0)
            logits = hidden_out @ params[2] + params[3]
            exps = np.exp(logits - logits.max(axis=1, keepdims=True))
            delta = exps / exps.sum(axis=1, keepdims=True)
            delta[np.arange(len(batch)), labels[batch]] -= 1
            delta /= F32(len(batch))
            back = (delta @ params[2].T) * (hidden_out > 0)
            grads = [x.T @ back, back.sum(axis=0), hidden_out.T @ delta, delta.sum(axis=0)]
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for i, g in enumerate(grads):
                first[i] = F32(0.9) * first[i] + F32(0.1) * g
                second[i] = F32(0.999) * second[i] + F32(0.001) * g * g
                m, v = first[i] / F32(1 - 0.9**step), second[i] / F32(1 - 0.999**step)
                shrink = decay * params[i] if params[i].ndim == 2 else 0
                params[i] = (params[i] - F32(rate) * (m / (np.sqrt(v) + F32(1e-8)) + shrink)).astype(F32)
    names = ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    return dict(zip(names, params), **{"norm.mean": mean, "norm.inv_std": inv_std})


def mixed_from(model):
    """The same model as it is stored: weights in bf16, biases in f16, constants in f32."""
    kinds = {"weight": BF16, "bias": F16}
    return {name: t.astype(kinds.get(name.split(".")[1], F32)) for name, t in model.items()}


def forward_f32(model, images):
    """u8 images to f32 logits; every step in f32."""
    x = (images.reshape(-1, 64) - model["norm.mean"]) * model["norm.inv_std"]
    h = np.maximum(x @ model["fc1.weight"] + model["fc1.bias"], F32(0))
    return h @ model["fc2.weight"] + model["fc2.bias"]


def matmul_bf16(a, b):
    """bf16 @ bf16 -> bf16: products and sums in f32, in index order, one rounding at the end."""
    total = np.zeros((a.shape[0], b.shape[1]), F32)
    for k in range(a.shape[1]):
        total += a[:, k, None].astype(F32) * b[None, k].astype(F32)
    return total.astype(BF16)


def forward_mixed(model, images, matmul=matmul_bf16):
    """u8 images to f32 logits with the promotions of JAX written out as casts."""
    x = images.reshape(-1, 64).astype(F32)  # u8 with f32 -> f32
    x = (x - model["norm.mean"]) * model["norm.inv_std"]
    x = matmul(x.astype(BF16), model["fc1.weight"])
    x = x.astype(F32) + model["fc1.bias"].astype(F32)  # bf16 with f16 -> f32
    x = np.maximum(x, F32(0))
    x = matmul(x.astype(BF16), model["fc2.weight"])
    return x.astype(F32) + model["fc2.bias"].astype(F32)


# --- files ----------------------------------------------------------------------------------------

STORED = {np.dtype(BF16): "BF16", np.dtype(F16): "F16", np.dtype(F32): "F32"}


def write_safetensors(path, tensors, metadata):
    """Writes the format by hand: the package's own writer orders metadata at random.

    Tensors go by falling element size, then name, as the package orders them.
    """
    header, payload = {"__metadata__": dict(sorted(metadata.items()))}, b""
    for name, t in sorted(tensors.items(), key=lambda item: (-item[1].itemsize, item[0])):
        raw = np.ascontiguousarray(t).tobytes()
        header[name] = {
            "dtype": STORED[t.dtype],
            "shape": list(t.shape),
            "data_offsets": [len(payload), len(payload) + len(raw)],
        }
        payload += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + payload)


def accuracy(correct):
    return f"{correct}/{TEST_SIZE} = {correct / TEST_SIZE:.4%}"


def main():
    images, labels = load()
    train_at, test_at = split(labels)
    model = train(images[train_at], labels[train_at], HIDDEN, EPOCHS, DECAY, TRAIN_SEED)
    mixed = mixed_from(model)

    held_out, truth = images[test_at], labels[test_at]
    logits = {"f32": forward_f32(model, held_out), "mixed": forward_mixed(mixed, held_out)}
    picks = {kind: l.argmax(axis=1) for kind, l in logits.items()}
    correct = {kind: int((p == truth).sum()) for kind, p in picks.items()}

    DATA.mkdir(exist_ok=True)
    np.save(DATA / "images.npy", images)
    np.save(DATA / "labels.npy", labels)
    np.save(DATA / "test_indices.npy", test_at.astype(np.uint32))
    np.save(DATA / "expected_logits.npy", logits["mixed"][:LOGITS_KEPT])
    common = {
        "model": f"MLP 64 -> {HIDDEN} -> 10 with ReLU on UCI handwritten digits",
        "trained_by": "examples/digits/train.py",
        "split": f"held out: test_indices.npy, {TEST_SIZE} of {len(labels)}, stratified; trained on the rest",
        "test_accuracy_f32": accuracy(correct["f32"]),
        "test_accuracy_mixed": accuracy(correct["mixed"]),
    }
    write_safetensors(
        DATA / "model.safetensors",
        mixed,
        common | {"dtypes": "weights bf16, biases f16, normalisation f32"},
    )
    write_safetensors(DATA / "model_f32.safetensors", model, common | {"dtypes": "all f32"})

    for kind in logits:
        print(f"{kind:5} {accuracy(correct[kind])}, first ten {picks[kind][:10].tolist()}")
    print(f"truth {' ' * 18} first ten {truth[:10].tolist()}")
    print("the two disagree on", (picks["f32"] != picks["mixed"]).sum(), "images")
    confusion = np.zeros((10, 10), int)
    np.add.at(confusion, (truth, picks["mixed"]), 1)
    print("mixed confusion matrix, a row per true digit:", confusion, sep="\n")
    for path in sorted(DATA.iterdir()):
        if path.suffix != ".md":
            print(hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size, path.name)


def cross_validate():
    """Five folds of the training part; the held-out images take no part in the choice."""
    images, labels = load()
    train_at, _ = split(labels)
    images, labels = images[train_at], labels[train_at]
    for hidden in (32, 48, 64):
        for decay in (1e-3, DECAY):
            correct = 0
            for at, out in StratifiedKFold(5, shuffle=True, random_state=1).split(images, labels):
                model = train(images[at], labels[at], hidden, EPOCHS, decay, TRAIN_SEED)
                correct += (forward_f32(model, images[out]).argmax(axis=1) == labels[out]).sum()
            print(f"hidden {hidden}, decay {decay}: {correct / len(labels):.4%}", flush=True)


if __name__ == "__main__":
    cross_validate() if "--cross-validate" in sys.argv else main()
