"""Writes f64_hard.csv: values of functions to 106 bits, with mpmath, for `tests/accuracy/hard.rs`.

    pip install mpmath==1.4.1 && python3 observe_hard.py > f64_hard.csv

The arguments are those at which code makes its largest errors: beside the bounds of its pieces, near one and zero, subnormal and close to the
largest float, and the worst of three million that were compared with 113-bit values.

A row is a function, the bits of an `f64` argument (of `pow` and `atan2` of two), and the bits of two `f64`: the nearest to the value, and the
rest in units in the last place of the value.
"""

import math
import random
import struct

import mpmath
from mpmath import mp, mpf

mp.prec = 2400
COUNT = 60

FUNCTIONS = {
    "ln": mp.ln,
    "ln_1p": mp.log1p,
    "log2": lambda x: mp.ln(x) / mp.ln(2),
    "log10": mp.log10,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "atan": mp.atan,
    "asin": mp.asin,
    "acos": mp.acos,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "pow": mp.power,
    "atan2": mp.atan2,
}

# Where pieces begin and end, and where terms cancel.
BOUNDS = {
    "ln": [math.sqrt(0.5), math.sqrt(2), 1],
    "ln_1p": [math.sqrt(0.5) - 1, math.sqrt(2) - 1, -1, 1, 3],
    "log2": [math.sqrt(0.5), math.sqrt(2), 1],
    "log10": [math.sqrt(0.5), math.sqrt(2), 1],
    "cbrt": [1, 2, 4, 8, -27, 2.0**540, 2.0**-540],
    "atan": [0.25, 0.75, 1, 4 / 3, 4, -1],
    "asin": [0.5, 1, -0.5, -1],
    "acos": [0.5, 1, -0.5, -1],
    "asinh": [1, 0.5, 2.0**28, -1],
    "acosh": [1, 2, 1.06, 2.0**28],
    "atanh": [1 / 3, 0.17, 1, -1],
}

WORST = {
    "ln": [0.7066316029786525],
    "ln_1p": [0.397217943995668],
    "log2": [1.4141648977705799, 1.4138071722353496],
    "log10": [1.4140951402270214],
    "cbrt": [0.5253411897152056],
    "atan": [-0.24852101970906315],
    "asin": [0.5237707805725779, 0.4749495665865622],
    "acos": [0.5532467925745288],
    "asinh": [0.35341185867922736, 1.1495769897580357],
    "acosh": [1.0573938535814524],
    "atanh": [0.16857951202114507],
}
WORST_PAIRS = {
    "pow": [(0.04634729143044014, -3.5), (5.655608588672426, -7.0), (0.6800865382198432, 0.47182225136943046)],
    "atan2": [(-0.0952945603302374, 0.38805903478768367), (0.22842063188179065, 0.9758382598026778)],
}


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', x))[0]:016x}"


def number(rng, least=-1074, most=1023):
    """A number whose exponent is chosen evenly."""
    return math.ldexp(rng.uniform(1, 2), rng.randrange(least, most))


def arguments(rng, name):
    yield from WORST[name]
    while True:
        kind = rng.randrange(4)
        bound = rng.choice(BOUNDS[name])
        if kind == 0:
            x = number(rng)
        elif kind == 1:
            x = bound * (1 + rng.choice([-1, 1]) * 2.0 ** -rng.randrange(3, 53))
        elif kind == 2:
            x = bound * rng.uniform(0.9, 1.1)
        else:
            x = number(rng, -6, 6)
        if name in ("ln_1p", "cbrt", "atan", "asin", "acos", "asinh", "atanh") and rng.randrange(2):
            x = -x
        if name in ("asin", "acos", "atanh") and abs(x) > 1 or name == "acosh" and x < 1 or name == "ln_1p" and x <= -1:
            continue
        if name in ("asin", "acos", "atanh") and abs(x) == 1 or x == 0:
            continue
        yield x


def pairs(rng, name):
    yield from WORST_PAIRS[name]
    while True:
        x = number(rng) if rng.randrange(2) else number(rng, -4, 4)
        kind = rng.randrange(4)
        if name == "atan2":
            y = number(rng) if kind == 0 else x * rng.uniform(0, 4) if kind == 1 else x * 2.0 ** -rng.randrange(0, 60)
            x, y = rng.choice([-1, 1]) * x, rng.choice([-1, 1]) * y
        elif kind == 0:
            y = rng.uniform(-1075, 1024) / math.log2(x)
        elif kind == 1:
            y = rng.randrange(-40, 41) / 2
        elif kind == 2:
            x = 1 + rng.choice([-1, 1]) * 2.0 ** -rng.randrange(3, 52)
            y = rng.uniform(-700, 700) / math.log(x)
        else:
            y = rng.uniform(-8, 8)
        if x != 0 and y not in (0, 2):
            yield x, y


def main():
    rng = random.Random(23)
    print("function,arguments,value,rest")
    for name, function in FUNCTIONS.items():
        choice = pairs(rng, name) if name in WORST_PAIRS else arguments(rng, name)
        count = 4 * COUNT if name in WORST_PAIRS else COUNT
        while count > 0:
            x = next(choice)
            x = x if isinstance(x, tuple) else (x,)
            exact = function(*map(mpf, x))
            if not 2.0**-1074 < abs(exact) < mpf(2) ** 1023:
                continue
            value = float(exact)
            exponent = max(math.frexp(value)[1], -1021)
            rest = float((exact - mpf(value)) * mpf(2) ** (53 - exponent))
            print(",".join([name, *map(bits, x), bits(value), bits(rest)]))
            count -= 1


assert mpmath.__version__ == "1.4.1", mpmath.__version__
main()
