#!/usr/bin/env python3
"""The workloads of benches/speed in NumPy, PyTorch (eager and compiled) and JAX (jit), as users write them there.

    peers.py [--quick] [--threads 1,2] [--only W1,W8] [--output ../results/python.json]

`requirements.txt` has the versions. A library that cannot be imported is named in the results and left out. Each
library and number of threads has a process of its own, bound to as many processors, since JAX takes all it finds.
Times are the least and the median of many runs, in nanoseconds; `into` is into an output that is there already (JAX:
a donated one).
"""

import argparse
import json
import os
import subprocess
import sys
import time

SIZES = [8, 8_192, 65_536, 1 << 24]
LARGE = 1 << 24
SIDE = 4_096
SORTED = 1 << 20
GATHERED = 1 << 20
FEW_SIDE = 1_024
LIBRARIES = ["numpy", "torch", "torch compiled", "jax"]


class NumPy:
    def __init__(self, _):
        import ml_dtypes
        import numpy

        self.np, self.versions = numpy, f"NumPy {numpy.__version__}, ml_dtypes {ml_dtypes.__version__}"
        self.dtypes = {"bf16": ml_dtypes.bfloat16, "f8": ml_dtypes.float8_e4m3fn} | NUMPY_DTYPES
        self.where = numpy.where

    def array(self, values):
        return values

    def cast(self, a, dtype):
        return a.astype(self.dtypes[dtype])

    def zeros(self, a):
        return self.np.zeros_like(a)

    def gelu(self, x):
        return 0.5 * x * (1 + self.np.tanh(0.7978846 * (x + 0.044715 * x * x * x)))

    def sum(self, a, axis=None):
        # Half precision would be added in half precision along an axis; over all elements in f32.
        return a.sum(axis, dtype="float32").astype(a.dtype)

    def max(self, a):
        return a.max(-1)

    def argmax(self, a):
        return a.argmax(-1)

    def sum_of_integers(self, a):
        return a.sum(-1, dtype="int64")

    def sort(self, a):
        return self.np.sort(a)

    def take(self, a, indices):
        return self.np.take(a, indices, 0)

    def softmax(self, a):
        powers = self.np.exp(a - a.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)

    def layer_norm(self, a, gain, bias):
        centred = a - a.mean(-1, keepdims=True)
        return centred / self.np.sqrt((centred * centred).mean(-1, keepdims=True) + a.dtype.type(1e-5)) * gain + bias

    def attention(self, q, k, v):
        # In f32, which BLAS multiplies.
        q, k, v = (x.astype("float32") for x in (q, k, v))
        return (self.softmax(q @ k.swapaxes(1, 2) * self.np.float32(0.125)) @ v).astype(self.dtypes["bf16"])

    def matmul(self, a, b, out):
        # There is no BLAS for small floats, and the loop that stands in for it takes seconds.
        return (a.astype("float32") @ b.astype("float32")).astype(self.dtypes[out])

    def matmul_in_i32(self, a, b):
        # The fastest way that is exact: NumPy's loops for integers take a hundred times as long as BLAS, whose sums of up to 2^10
        # products of bytes are exact in f32.
        return (a.astype("float32") @ b.astype("float32")).astype("int32")

    def matmul_in_f32(self, a, b):
        return a.astype("float32") @ b.astype("float32")

    def functions(self, run, arguments):
        yield "numpy", "fresh", lambda: run(self, *arguments)
        if run is ADD:
            out = run(self, *arguments)
            yield "numpy", "into", lambda: self.np.add(*arguments, out=out)


class Torch:
    def __init__(self, threads, compiled=False):
        import torch

        torch.set_num_threads(threads)
        self.torch, self.versions, self.compiled = torch, f"PyTorch {torch.__version__}", compiled
        names = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f8": "float8_e4m3fn"}
        names |= {"i8": "int8", "u8": "uint8", "i16": "int16", "i32": "int32"}
        self.dtypes = {short: getattr(torch, name) for short, name in names.items()}
        self.where = torch.where

    def array(self, values):
        if values.dtype.name == "bfloat16":
            return self.torch.from_numpy(values.view("int16").copy()).view(self.torch.bfloat16)
        return self.torch.from_numpy(values.copy())

    def cast(self, a, dtype):
        return a.to(self.dtypes[dtype])

    def zeros(self, a):
        return self.torch.zeros_like(a)

    def gelu(self, x):
        return self.torch.nn.functional.gelu(x, approximate="tanh")

    def sum(self, a, axis=None):
        return a.sum() if axis is None else a.sum(axis)

    def max(self, a):
        return a.amax(-1)

    def argmax(self, a):
        return a.argmax(-1)

    def sum_of_integers(self, a):
        return a.sum(-1)

    def sort(self, a):
        return self.torch.sort(a).values

    def take(self, a, indices):
        return self.torch.index_select(a, 0, indices)

    def softmax(self, a):
        return self.torch.softmax(a, -1)

    def layer_norm(self, a, gain, bias):
        return self.torch.nn.functional.layer_norm(a, gain.shape, gain, bias)

    def attention(self, q, k, v):
        return self.torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=0.125)

    def matmul(self, a, b, out):
        return a @ b if a.dtype == b.dtype else a.to(self.dtypes[out]) @ b.to(self.dtypes[out])

    def matmul_in_i32(self, a, b):
        return self.torch._int_mm(a, b)

    def matmul_in_f32(self, a, b):
        return a.float() @ b.float()  # `out_dtype` of `mm` is for GPUs

    def functions(self, run, arguments):
        torch = self.torch
        if self.compiled:
            torch.compiler.reset()
            function = torch.compile(lambda *arguments: run(self, *arguments), dynamic=False)
            with torch.no_grad():
                function(*arguments)
            yield "torch compiled", "fresh", lambda: function(*arguments)
            return
        yield "torch", "fresh", lambda: run(self, *arguments)
        if run is ADD:
            out = run(self, *arguments)
            yield "torch", "into", lambda: torch.add(*arguments, out=out)


class Jax:
    def __init__(self, _):
        import jax
        import ml_dtypes

        self.jax, self.versions = jax, f"JAX {jax.__version__}"
        self.dtypes = {"bf16": ml_dtypes.bfloat16, "f8": ml_dtypes.float8_e4m3fn} | NUMPY_DTYPES
        self.where = jax.numpy.where

    def array(self, values):
        return self.jax.numpy.asarray(values)

    def cast(self, a, dtype):
        return a.astype(self.dtypes[dtype])

    def zeros(self, a):
        return self.jax.numpy.zeros_like(a)

    def gelu(self, x):
        return self.jax.nn.gelu(x, approximate=True)

    def sum(self, a, axis=None):
        return a.sum(axis)

    def max(self, a):
        return a.max(-1)

    def argmax(self, a):
        return a.argmax(-1)

    def sum_of_integers(self, a):
        return a.sum(-1)

    def sort(self, a):
        return self.jax.numpy.sort(a)

    def take(self, a, indices):
        return self.jax.numpy.take(a, indices, 0)

    def softmax(self, a):
        return self.jax.nn.softmax(a)

    def layer_norm(self, a, gain, bias):
        numpy = self.jax.numpy
        return (a - a.mean(-1, keepdims=True)) * self.jax.lax.rsqrt(numpy.var(a, -1, keepdims=True) + 1e-5) * gain + bias

    def attention(self, q, k, v):
        return self.softmax(q @ k.swapaxes(1, 2) * 0.125) @ v

    def matmul(self, a, b, out):
        return a @ b

    def matmul_in_i32(self, a, b):
        return self.jax.lax.dot(a, b, preferred_element_type=self.jax.numpy.int32)

    def matmul_in_f32(self, a, b):
        return self.jax.lax.dot(a, b, preferred_element_type=self.jax.numpy.float32)

    def functions(self, run, arguments):
        fresh = self.jax.jit(lambda *arguments: run(self, *arguments))
        yield "jax", "fresh", lambda: fresh(*arguments).block_until_ready()
        donating = self.jax.jit(lambda _, *arguments: run(self, *arguments), donate_argnums=0, keep_unused=True)
        out = fresh(*arguments)

        def into():
            nonlocal out
            out = donating(out, *arguments).block_until_ready()

        yield "jax", "into", into


NUMPY_DTYPES = {"f16": "float16", "f32": "float32", "i8": "int8", "u8": "uint8", "i16": "int16", "i32": "int32"}


def ADD(_, a, b):
    return a + b


# The operands' dtypes, then what is done with them.
ELEMENTWISE = {
    ("W1", "f32 + f32"): ("f32 f32", ADD),
    ("W2", "f16 + bf16"): ("f16 bf16", lambda lib, a, b: lib.cast(a, "f32") + lib.cast(b, "f32")),
    ("W3", "f16 * bf16 + f32"): (
        "f16 bf16 f32",
        lambda lib, a, b, c: lib.cast(a, "f32") * lib.cast(b, "f32") + c,
    ),
    ("W4", "i8 + u8"): ("i8 u8", lambda _, a, b: a + b),
    ("W5", "normalise u8 to f32"): ("u8", lambda lib, a: (lib.cast(a, "f32") - 127.5) / 58.0),
    ("W5", "normalise u8 to bf16"): ("u8", lambda lib, a: (lib.cast(a, "bf16") - 127.5) / 58.0),
    ("W6", "i32 + f32"): ("i32 f32", lambda lib, a, b: lib.cast(a, "f32") + b),
    ("W8", "gelu f32"): ("f32", lambda lib, a: lib.gelu(a)),
    ("W8", "gelu bf16"): ("bf16", lambda lib, a: lib.gelu(a)),
    ("W9", "sum f16"): ("f16", lambda lib, a: lib.sum(a)),
    ("W12", "f32 to bf16"): ("f32", lambda lib, a: lib.cast(a, "bf16")),
    ("W12", "f32 to f16"): ("f32", lambda lib, a: lib.cast(a, "f16")),
    ("W12", "f16 to f32"): ("f16", lambda lib, a: lib.cast(a, "f32")),
    ("W12", "f32 to f8e4m3fn"): ("f32", lambda lib, a: lib.cast(a, "f8")),
    ("W12", "i32 to u8"): ("i32", lambda lib, a: lib.cast(a, "u8")),
    ("W13", "where a > b"): ("f32 f32", lambda lib, a, b: lib.where(a > b, a, lib.zeros(a))),
    ("W14", "six operations f16"): ("f16 f16 f16", lambda _, a, b, c: ((a * b + c) * a - b) * c + a),
}
# The same with shapes; `r` is a row, `c` a column, `s` a square, `v` a vector and `m` a matrix with rows of 512 to sort.
SQUARES = {
    ("W7", "bf16 * row + column"): ("bf16:s f32:r f32:c", lambda lib, a, b, c: lib.cast(a, "f32") * b + c),
    ("W9", "sum f32 axis 0"): ("f32:s", lambda lib, a: lib.sum(a, 0)),
    ("W9", "sum f32 axis 1"): ("f32:s", lambda lib, a: lib.sum(a, 1)),
    ("W11", "transposed + f32"): ("f32:s f32:s", lambda _, a, b: a.T + b),
}
SORTS = {
    ("W22", "sort f32"): ("f32:v", lambda lib, a: lib.sort(a)),
    ("W22", "sort f32 rows"): ("f32:m", lambda lib, a: lib.sort(a)),
}
PRODUCTS = {
    ("W10", "matmul f32"): ("f32:s f32:s", lambda lib, a, b: lib.matmul(a, b, "f32")),
    ("W10", "matmul f16"): ("f16:s f16:s", lambda lib, a, b: lib.matmul(a, b, "f16")),
    ("W10", "matmul bf16 by f32"): ("bf16:s f32:s", lambda lib, a, b: lib.matmul(a, b, "f32")),
}


# Of bytes, in 32-bit integers.
BYTES = {
    ("W10", "matmul i8 in i32"): ("i8:s i8:s", lambda lib, a, b: lib.matmul_in_i32(a, b)),
    ("W10", "matmul bf16 in f32"): ("bf16:s bf16:s", lambda lib, a, b: lib.matmul_in_f32(a, b)),
}


# Few rows by a square of bytes.
FEW_ROWS = {
    ("W10", "vector by matrix i8 in i32"): ("i8:1 i8:s", lambda lib, a, b: lib.matmul_in_i32(a, b)),
    ("W10", "16 rows by matrix i8 in i32"): ("i8:16 i8:s", lambda lib, a, b: lib.matmul_in_i32(a, b)),
}
# Of matrices with rows of 512; `g` is such a row.
ROWS = {
    ("W23", "softmax f32"): ("f32:m", lambda lib, a: lib.softmax(a)),
    ("W23", "softmax bf16"): ("bf16:m", lambda lib, a: lib.softmax(a)),
    ("W28", "max f32 rows"): ("f32:m", lambda lib, a: lib.max(a)),
    ("W28", "max bf16 rows"): ("bf16:m", lambda lib, a: lib.max(a)),
    ("W28", "argmax f32 rows"): ("f32:m", lambda lib, a: lib.argmax(a)),
    # JAX adds in `i32`.
    ("W28", "sum i32 rows"): ("i32:m", lambda lib, a: lib.sum_of_integers(a)),
    ("W25", "layer norm f32"): ("f32:m f32:g f32:g", lambda lib, a, b, c: lib.layer_norm(a, b, c)),
}
ATTENTION = (8, 512, 64)


def TAKE(lib, a, indices):
    return lib.take(a, indices)


def cases():
    for length in (3, 64, 512):
        shape = (GATHERED // length, length)
        operands = [("f32", shape), ("places", shape[:1])]
        yield "W26", f"take rows of {length} f32", GATHERED, operands, TAKE
    for size in SIZES[1:]:
        shapes = {"m": (size // 512, 512), "g": (512,)}
        for (workload, name), (operands, run) in ROWS.items():
            pairs = [operand.split(":") for operand in operands.split()]
            yield workload, name, size, [(dtype, shapes[shape]) for dtype, shape in pairs], run
    yield "W24", "attention bf16", 8 * 512 * 64, [("bf16", ATTENTION)] * 3, lambda lib, q, k, v: lib.attention(q, k, v)
    for (workload, name), (operands, run) in FEW_ROWS.items():
        rows = int(operands.split(":")[1].split()[0])
        shapes = [(rows, FEW_SIDE), (FEW_SIDE, FEW_SIDE)]
        yield workload, name, FEW_SIDE, [("i8", shape) for shape in shapes], run
    for size in SIZES:
        for (workload, name), (operands, run) in ELEMENTWISE.items():
            yield workload, name, size, [(dtype, (size,)) for dtype in operands.split()], run
    tables = [
        (SQUARES, SIDE, LARGE),
        (SORTS, 0, SORTED),
        (PRODUCTS, 512, 512),
        (PRODUCTS, 1024, 1024),
        (BYTES, 256, 256),
        (BYTES, 1024, 1024),
    ]
    for table, side, size in tables:
        shapes = {"s": (side, side), "r": (side,), "c": (side, 1), "v": (SORTED,), "m": (SORTED // 512, 512)}
        for (workload, name), (operands, run) in table.items():
            pairs = [operand.split(":") for operand in operands.split()]
            yield workload, name, size, [(dtype, shapes[shape]) for dtype, shape in pairs], run


def operand(dtype, shape, seed):
    import ml_dtypes
    import numpy

    generator = numpy.random.default_rng(seed)
    if dtype == "places":
        return numpy.arange(shape[0]) * 2_654_435_761 % (1 << 32) % shape[0]
    if dtype in ("i8", "u8", "i32"):
        bounds = numpy.iinfo(NUMPY_DTYPES[dtype])
        return generator.integers(bounds.min, bounds.max, shape, NUMPY_DTYPES[dtype], endpoint=True)
    values = generator.random(shape, "float32") * 8 - 4
    return values.astype(ml_dtypes.bfloat16 if dtype == "bf16" else NUMPY_DTYPES[dtype])


def times(run, quick):
    """Of one run in nanoseconds, the least and the median."""
    rounds, budget = (3, 0.03) if quick else (7, 0.3)

    def sample(repeats):
        start = time.perf_counter_ns()
        for _ in range(repeats):
            run()
        return time.perf_counter_ns() - start

    repeats = 1
    while sample(repeats) < 30_000:
        repeats *= 2
    samples, start = [], time.perf_counter()
    while len(samples) < rounds or time.perf_counter() - start < budget:
        samples.append(sample(repeats) / repeats)
    samples.sort()
    return samples[0], samples[len(samples) // 2]


def measure(name, threads, chosen):
    """In a process of its own: results on standard output."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    try:
        made = {"numpy": NumPy, "torch": Torch, "jax": Jax}
        library = Torch(threads, compiled=True) if name == "torch compiled" else made[name](threads)
    except ImportError as error:
        return {"about": [f"{name} could not be imported: {error}"], "rows": []}
    rows, about = [], [library.versions]
    for workload, case, size, operands, run in cases():
        if chosen.only and workload not in chosen.only:
            continue
        print(name, threads, workload, case, size, file=sys.stderr)
        arguments = [library.array(operand(*of, seed)) for seed, of in enumerate(operands)]
        try:
            for who, way, function in library.functions(run, arguments):
                least, median = times(function, chosen.quick)
                rows.append({
                    "workload": workload, "case": case, "size": size, "who": who, "way": way, "isa": "run time",
                    "threads": threads, "least": round(least, 1), "median": round(median, 1),
                })  # fmt: skip
        except (TypeError, NotImplementedError, RuntimeError) as error:
            (reason, *_) = str(error).splitlines() or [type(error).__name__]
            about.append(f"{name} has no {case} of {size}: {reason}")
    return {"about": about, "rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", default="1,2", type=lambda text: [int(number) for number in text.split(",")])
    parser.add_argument("--only", default=[], type=lambda text: text.split(","))
    parser.add_argument("--output")
    parser.add_argument("--library", choices=LIBRARIES, help="measure one, in this process")
    chosen = parser.parse_args()
    if chosen.library:
        print(json.dumps(measure(chosen.library, chosen.threads[0], chosen)))
        return
    about, rows = [], []
    for name in LIBRARIES:
        for threads in chosen.threads:
            command = [sys.executable, __file__, "--library", name, "--threads", str(threads)]
            command += ["--quick"] * chosen.quick + (["--only", ",".join(chosen.only)] if chosen.only else [])
            environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
            found = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
            found = json.loads(found.stdout)
            about += [line for line in found["about"] if line not in about]
            rows += found["rows"]
    lines = [",\n".join(map(json.dumps, part)) for part in (about, rows)]
    text = f'{{"about": [\n{lines[0]}\n], "rows": [\n{lines[1]}\n]}}\n'
    if chosen.output:
        with open(chosen.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
