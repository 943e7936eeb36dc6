"""Runs what `supremum explain` proposes to write in NumPy, JAX and PyTorch, and compares the dtype of each result.

    python cli/tests/on_purpose.py SUPREMUM

SUPREMUM is the command. NumPy and ml_dtypes are needed; JAX and PyTorch are left out, and named, if they cannot be imported.
scripts/explain_check installs the packages.
"""

import concurrent.futures
import importlib
import itertools
import subprocess
import sys
import warnings

import ml_dtypes
import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

SYSTEMS = ["numpy", "jax", "torch", "tensorflow", "array-api", "openvino"]
DTYPES = (
    "bool u8 u16 u32 u64 i8 i16 i32 i64 "
    "f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64 c64 c128"
).split()
# One name of each group of operations; a pair of dtypes is asked with `+` and without an operation, always.
BINARY = "/ // % ** arctan2 minimum & << == < where concatenate stack @".split()
UNARY = (
    "negative sign round floor ~ sqrt reciprocal abs real isnan sum cumsum mean var min argmin any nansum"
).split()
LITERALS = ["2", "2.5", "1j", "true"]
LANGUAGES = {"NumPy": "numpy", "JAX": "jax", "PyTorch": "torch"}
NAMES = {"u": "uint", "i": "int", "f": "float", "c": "complex"}


def questions():
    """Each question as arguments of `explain`."""
    for system in SYSTEMS:
        for lhs, rhs in itertools.product(DTYPES, repeat=2):
            yield (system, lhs, rhs)
            yield (system, lhs, "+", rhs)
        # Every operation meets each dtype, beside some others.
        for operation in BINARY:
            for lhs, rhs in zip(DTYPES, DTYPES[3:] + DTYPES[:3]):
                yield (system, lhs, operation, rhs)
                yield (system, lhs, operation, lhs)
        for operation, dtype in itertools.product(UNARY, DTYPES):
            yield (system, operation, dtype)
        for dtype, literal in itertools.product(DTYPES, LITERALS):
            yield (system, dtype, "*", literal)


def full_name(dtype):
    """The name of a dtype in NumPy, ml_dtypes, JAX and PyTorch."""
    if dtype.startswith("f8"):
        return "float8_" + dtype[2:]
    if dtype == "bf16":
        return "bfloat16"
    kind, bits = dtype[0], dtype[1:]
    return NAMES[kind] + bits if bits.isdigit() else dtype


def answer(command, question):
    """The dtype of the result, and what to write in each language."""
    done = subprocess.run([command, "explain", *question], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(question)}: {done.stderr}")
    lines = done.stdout.splitlines()
    result = lines[0].partition(f" under {question[0]}: ")[2].split()[0].rstrip("*")
    proposals = {}
    if "  to get it on purpose:" in lines:
        for line in lines[lines.index("  to get it on purpose:") + 1 :]:
            language, _, text = line.strip().partition(" ")
            if language in LANGUAGES:
                proposals[language] = text.strip()
    for line in lines:
        # Where nothing is promoted, the proposals compute in the dtype that is named as the way out.
        if line.startswith("  way out "):
            result = None
    return result, proposals


class Frameworks:
    """The languages that can be imported, and operands of each dtype in them."""

    def __init__(self):
        self.modules = {"NumPy": {"np": np, "ml_dtypes": ml_dtypes}}
        try:
            jax = importlib.import_module("jax")
            jax.config.update("jax_enable_x64", True)
            self.modules["JAX"] = {"jnp": importlib.import_module("jax.numpy")}
        except ImportError:
            print("SKIPPED: JAX cannot be imported")
        try:
            self.modules["PyTorch"] = {"torch": importlib.import_module("torch")}
        except ImportError:
            print("SKIPPED: PyTorch cannot be imported")

    def operand(self, language, dtype):
        name = full_name(dtype)
        modules = self.modules[language]
        if language == "NumPy":
            return np.ones(2, getattr(ml_dtypes, name, None) or name)
        if language == "JAX":
            return modules["jnp"].ones(2, "bool" if dtype == "bool" else name)
        torch = modules["torch"]
        return torch.ones(2, dtype=torch.float32).to(getattr(torch, name))

    def mask(self, language):
        return self.operand(language, "bool")

    def dtype(self, value):
        if isinstance(value, tuple):
            return [self.dtype(each) for each in value]
        return str(value.dtype).removeprefix("torch.")


def main():
    command = sys.argv[1]
    frameworks = Frameworks()
    asked = list(questions())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda question: answer(command, question), asked))
    ran, absent, without_kernel, faults, seen = {}, 0, 0, [], set()
    for question, (result, proposals) in zip(asked, answers):
        dtypes = [word for word in question[1:] if word in DTYPES]
        for language, text in proposals.items():
            if language not in frameworks.modules or (language, text, result, *dtypes) in seen:
                continue
            seen.add((language, text, result, *dtypes))
            if text.startswith("has no "):
                absent += 1
                continue
            where = f"{' '.join(question)}: {language}: {text}"
            try:
                operands = [frameworks.operand(language, dtype) for dtype in dtypes]
            except (AttributeError, TypeError):
                # The language has no such operand, so nobody asks how it is converted there.
                absent += 1
                continue
            names = dict(zip("abcdef", operands), mask=frameworks.mask(language))
            try:
                value = eval(text, dict(frameworks.modules[language]), names)
            except NotImplementedError:
                # PyTorch knows the dtype of the result, but has no such loop on the CPU, as for products of float8.
                without_kernel += 1
                continue
            except Exception as error:  # noqa: BLE001 - whatever the framework raises is a fault of the proposal
                faults.append(f"{where}: {type(error).__name__}: {str(error).splitlines()[0]}")
                continue
            found = frameworks.dtype(value)
            found = found if isinstance(found, list) else [found]
            if result is not None and any(each != full_name(result) for each in found):
                faults.append(f"{where}: gives {found}, not {full_name(result)}")
            ran[language] = ran.get(language, 0) + 1
    for fault in faults:
        print(fault)
    print(
        f"{ran} proposals ran; {absent} name what a language lacks, {without_kernel} what PyTorch has not implemented; "
        f"{len(faults)} faults"
    )
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
