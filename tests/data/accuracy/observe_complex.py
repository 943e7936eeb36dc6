"""Writes complex.csv: values of complex functions, with mpmath, for `tests/accuracy/complex.rs`.

    pip install mpmath==1.4.1 && python3 observe_complex.py > complex.csv
    python3 observe_complex.py extreme > complex_extreme.csv

A row is a function, the bits of the two parts of an argument, which are `f32`, and the bits of the parts of the value, which are the
nearest `f64`. The arguments are chosen by chance from one seed: of several sizes, near zero and near one, on each side of branch cuts
but not on them. Those of `complex_extreme.csv` are `f64` whose parts are very large, very small, or very close to one.
"""

import math
import random
import struct
import sys

import mpmath
from mpmath import mp, mpc

mp.prec = 4000 if "extreme" in sys.argv else 400
COUNT = 120

FUNCTIONS = {
    "sqrt": mp.sqrt,
    "exp": mp.exp,
    "exp2": lambda z: mp.exp(z * mp.ln(2)),
    "exp_m1": mp.expm1,
    "ln": mp.ln,
    "ln_1p": lambda z: mp.ln(1 + z),
    "log2": lambda z: mp.ln(z) / mp.ln(2),
    "log10": lambda z: mp.ln(z) / mp.ln(10),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "sigmoid": lambda z: 1 / (1 + mp.exp(-z)),
    "rsqrt": lambda z: 1 / mp.sqrt(z),
    "recip": lambda z: 1 / z,
    "abs": abs,
    # New functions come last: all take their arguments from one seed.
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
}


def single(x):
    """The nearest f32."""
    return struct.unpack(">f", struct.pack(">f", x))[0]


def part(rng):
    kind = rng.randrange(4)
    sign = rng.choice([-1, 1])
    if kind == 0:
        return single(sign * rng.uniform(0, 20))
    if kind == 1:
        return single(sign * (1 + rng.choice([-1, 1]) * 2.0 ** rng.uniform(-20, 0)))
    if kind == 2:
        return single(sign * 10 ** rng.uniform(-6, 1.3))
    return single(sign * rng.uniform(0, 2))


EXTREME = ["sqrt", "ln", "ln_1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs",
           "asinh", "acosh", "atanh"]
# New functions come last, for the same reason.
EXTREME_LATER = ["exp", "exp2", "exp_m1", "sigmoid", "rsqrt", "recip", "log2", "log10"]


def extreme_part(rng):
    kind = rng.randrange(5)
    sign = rng.choice([-1, 1])
    if kind == 0:
        return sign * 10 ** rng.uniform(-300, -8)
    if kind == 1:
        return sign * 10 ** rng.uniform(8, 300)
    if kind == 2:
        return sign * (1 + rng.choice([-1, 1]) * 10 ** rng.uniform(-15, -3))
    if kind == 3:
        return sign * rng.uniform(20, 700)
    return sign * rng.uniform(0, 3)


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', float(x)))[0]:016x}"


def main():
    rng = random.Random(23)
    print("function,real,imaginary,value's real,value's imaginary")
    extreme = "extreme" in sys.argv
    names = [name for name in FUNCTIONS if name in EXTREME] + EXTREME_LATER if extreme else FUNCTIONS
    for name in names:
        function = FUNCTIONS[name]
        for _ in range(COUNT):
            re, im = (extreme_part(rng), extreme_part(rng)) if extreme else (part(rng), part(rng))
            # A sine of 1e300 has an argument that no program reduces for a reason, and cosh of it is infinite.
            if name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
                re, im = (math.remainder(x, 705) if abs(x) > 705 else x for x in (re, im))
            # The angle of an exponential may be as large.
            if name in ("exp", "exp2", "exp_m1", "sigmoid") and abs(re) > 705:
                re = math.remainder(re, 705)
            value = mpc(function(mpc(re, im)))
            print(f"{name},{bits(re)},{bits(im)},{bits(value.real)},{bits(value.imag)}")


assert mpmath.__version__ == "1.4.1", mpmath.__version__
main()
