"""Writes f64.csv: values of functions to 106 bits, with mpmath, for `tests/accuracy.rs`.

    pip install mpmath==1.4.1 && python3 observe.py > f64.csv

A row is a function, the bits of an `f64` argument, and the bits of two `f64` whose sum is the value: the nearest to it, and the nearest
to the rest. The arguments are chosen by chance from one seed: of all sizes on the domain, and near zero and one.
"""

import math
import random
import struct

import mpmath
from mpmath import mp, mpf

mp.prec = 2400  # enough for sines of 1e300
COUNT = 160

EVERY = (-1e300, 1e300)
FUNCTIONS = {
    "sqrt": (mp.sqrt, (0, 1e300)),
    "exp": (mp.exp, (-600, 600)),
    "exp2": (lambda x: mpf(2) ** x, (-900, 900)),
    "exp_m1": (mp.expm1, (-600, 600)),
    "ln": (mp.ln, (0, 1e300)),
    "ln_1p": (mp.log1p, (-1, 1e300)),
    "log2": (lambda x: mp.ln(x) / mp.ln(2), (0, 1e300)),
    "log10": (mp.log10, (0, 1e300)),
    "sin": (mp.sin, EVERY),
    "cos": (mp.cos, EVERY),
    "tan": (mp.tan, EVERY),
    "asin": (mp.asin, (-1, 1)),
    "acos": (mp.acos, (-1, 1)),
    "atan": (mp.atan, EVERY),
    "sinh": (mp.sinh, (-600, 600)),
    "cosh": (mp.cosh, (-600, 600)),
    "tanh": (mp.tanh, (-30, 30)),
    "sigmoid": (lambda x: 1 / (1 + mp.exp(-x)), (-600, 600)),
    "erf": (mp.erf, (-7, 7)),
    "erfc": (mp.erfc, (-6, 24)),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), (0, 1e300)),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), EVERY),
    "recip": (lambda x: 1 / x, (-1e280, 1e280)),
    "gelu": (lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2, (-30, 1e300)),
    "gelu_tanh": (
        lambda x: x / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3))),
        (-20, 1e300),
    ),
    "silu": (lambda x: x / (1 + mp.exp(-x)), (-600, 1e300)),
    "softplus": (lambda x: mp.log1p(mp.exp(x)), (-600, 600)),
    # New functions come last: all take their arguments from one seed.
    "asinh": (mp.asinh, EVERY),
    "acosh": (mp.acosh, (1, 1e300)),
    "atanh": (mp.atanh, (-1, 1)),
}


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', x))[0]:016x}"


def arguments(rng, low, high):
    """Numbers between the bounds: spread evenly, over all magnitudes, and near one."""
    while True:
        kind = rng.randrange(4)
        if kind == 0 and high - low < 1e6:
            x = rng.uniform(low, high)
        elif kind == 1:
            x = 1 + rng.choice([-1, 1]) * 2.0 ** rng.uniform(-40, 0)
        elif kind == 2:
            x = rng.choice([-1, 1]) * rng.uniform(0, 20)
        else:
            x = rng.choice([-1, 1]) * 10 ** rng.uniform(-12, math.log10(high))
        if low < x < high:
            yield x


def main():
    rng = random.Random(19)
    print("function,argument,value,rest")
    for name, (function, (low, high)) in FUNCTIONS.items():
        choice = arguments(rng, low, high)
        for _ in range(COUNT):
            x = next(choice)
            exact = function(mpf(x))
            value = float(exact)
            rest = float(exact - mpf(value))
            assert abs(value) > 1e-290, (name, x)  # where the rest is exact enough
            print(f"{name},{bits(x)},{bits(value)},{bits(rest)}")


assert mpmath.__version__ == "1.4.1", mpmath.__version__
main()
