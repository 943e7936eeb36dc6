"""Writes op_unary_float8.csv, op_reduce_float8.csv and op_binary_float8.csv: what operations give for the 8-bit floats.

The columns are those of op_unary.csv and so on, for the libraries that have these dtypes, without the codes of errors. Each
row has at least one 8-bit float; those of dtypes that op_unary.csv and its like have too are compared with them, and not
written. Arguments: the systems to run, of `jax`, `numpy` and `torch`; columns of others are taken from the files as they
are. Needs jax, numpy and ml_dtypes, or torch; see README.md for the versions.
"""

import csv
import itertools
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).parent
OLD = ["f8e4m3fn", "f8e5m2"]
NEW = ["f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b11fnuz"]
OTHERS = "bool u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128".split()
NUMPY_NAMES = {
    "u": "uint", "i": "int", "f": "float", "c": "complex",
}
LITERALS = {"pybool": True, "int": 2, "float": 2.0, "complex": 2j}
UNARY = "neg abs sign sqrt exp log sin tanh floor round reciprocal logical_not invert square isnan".split()
REDUCE = "sum prod mean var std max argmax any all cumsum".split()
BINARY = ("add subtract multiply true_divide floor_divide remainder power minimum equal less bitwise_and left_shift "
          "arctan2 matmul where concatenate").split()
COLUMNS = ["jax_x64", "jax_x32", "numpy", "torch"]
FLOAT8 = {
    "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz", "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "bf16": "bfloat16", "bool": "bool",
}


def long_name(name):
    """`float32` for `f32`."""
    if name in FLOAT8:
        return FLOAT8[name]
    return NUMPY_NAMES[name[0]] + name[1:]


def short_name(dtype):
    name = getattr(dtype, "name", None) or str(dtype).removeprefix("torch.")
    names = {long_name(short): short for short in OTHERS + OLD + NEW}
    return names.get(name, {"complex32": "c32"}.get(name, name))


OPERATORS = {
    "neg": lambda x: -x, "abs": abs, "invert": lambda x: ~x,
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "true_divide": lambda a, b: a / b, "floor_divide": lambda a, b: a // b, "remainder": lambda a, b: a % b,
    "power": lambda a, b: a**b, "equal": lambda a, b: a == b, "less": lambda a, b: a < b,
    "bitwise_and": lambda a, b: a & b, "left_shift": lambda a, b: a << b, "matmul": lambda a, b: a @ b,
}


def function(module, op):
    if op in OPERATORS:
        return OPERATORS[op]
    if op == "where":
        return lambda a, b: module.where(CONDITION[module], a, b)
    if op == "concatenate":
        return lambda a, b: module.concatenate([a, b])
    return getattr(module, op)


CONDITION = {}


def answers(module, make, op, names, run=lambda function, operands: function(*operands)):
    """The dtype of the result, with a star if it is weak."""
    def operand(name):
        if name not in LITERALS:
            return make(name, 2 if op == "matmul" else 1)
        literal = LITERALS[name]
        if op == "concatenate":
            return [literal]
        return literal
    try:
        result = run(function(module, op), list(map(operand, names)))
    except Exception:
        return "error"
    return short_name(result.dtype) + ("*" if getattr(result, "weak_type", False) else "")


def jax_column(x64):
    import jax
    import jax.numpy as jnp
    import numpy

    def traced(function, operands):
        # Literals are not traced.
        at = [at for at, operand in enumerate(operands) if hasattr(operand, "dtype")]

        def of(*tensors):
            full = list(operands)
            for position, tensor in zip(at, tensors):
                full[position] = tensor
            return function(*full)
        return jax.eval_shape(of, *(operands[position] for position in at))

    def ask(op, names):
        with jax.enable_x64(x64):
            CONDITION[jnp] = numpy.ones(2, bool)
            make = lambda name, rank: jax.ShapeDtypeStruct((2,) * rank, long_name(name))
            return answers(jnp, make, op, names, traced)
    return ask


def numpy_column():
    import ml_dtypes
    import numpy

    CONDITION[numpy] = numpy.ones(2, bool)

    def make(name, rank):
        dtype = getattr(ml_dtypes, long_name(name), None) if name in FLOAT8 and name != "bool" else long_name(name)
        return numpy.ones((2,) * rank, dtype)
    return lambda op, names: answers(numpy, make, op, names)


def torch_column():
    import torch

    CONDITION[torch] = torch.ones(2, dtype=torch.bool)

    def make(name, rank):
        return torch.ones((2,) * rank, dtype=torch.uint8).to(getattr(torch, long_name(name)))

    def ask(op, names):
        if not all(hasattr(torch, long_name(name)) for name in names if name not in LITERALS):
            return "error"
        return answers(torch, make, op, names)
    return ask


def rows(ops, of):
    for op in ops:
        for names in of:
            yield op, names


def main():
    warnings.simplefilter("ignore")
    systems = sys.argv[1:] or ["jax", "numpy", "torch"]
    columns = {}
    if "jax" in systems:
        columns["jax_x64"], columns["jax_x32"] = jax_column(True), jax_column(False)
    if "numpy" in systems:
        columns["numpy"] = numpy_column()
    if "torch" in systems:
        columns["torch"] = torch_column()
    dtypes = OTHERS + OLD + NEW
    pairs = [*itertools.product(dtypes, dtypes), *itertools.product(dtypes, LITERALS), *itertools.product(LITERALS, dtypes)]
    files = {
        "unary": (UNARY, [(name,) for name in dtypes]),
        "reduce": (REDUCE, [(name,) for name in dtypes]),
        "binary": (BINARY, pairs),
    }
    for file, (ops, of) in files.items():
        names = ["lhs", "rhs"] if file == "binary" else ["operand"]
        path = HERE / f"op_{file}_float8.csv"
        with open(HERE / f"op_{file}.csv") as known:
            known = {(row["op"], *(row[name] for name in names)): row for row in csv.DictReader(known)}
        written = {}
        if path.exists():
            with open(path) as old:
                written = {(row["op"], *(row[name] for name in names)): row for row in csv.DictReader(old)}
        compared = 0
        with open(path, "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["op", *names, *COLUMNS])
            for op, operands in rows(ops, of):
                is_new = any(name in NEW for name in operands)
                if not is_new and not any(name in OLD for name in operands):
                    continue
                if op in ("matmul", "concatenate") and any(name in LITERALS for name in operands):
                    continue
                key = (op, *operands)
                found = {column: ask(op, operands) for column, ask in columns.items()}
                if not is_new:
                    for column, answer in found.items():
                        compared += 1
                        expected = known[key][column]
                        if answer != expected:
                            print(f"{key} {column}: {answer}, in op_{file}.csv {expected}", file=sys.stderr)
                    continue
                before = written.get(key, {})
                writer.writerow([*key, *(found.get(column, before.get(column, "")) for column in COLUMNS)])
        print(f"op_{file}_float8.csv: {compared} answers compared with op_{file}.csv")


main()
