"""Writes complex_pow.csv: powers of complex numbers, for `tests/accuracy/complex_pow.rs`.

    pip install mpmath==1.4.1 numpy==2.4.6 && python3 observe_pow.py > complex_pow.csv

A row is a kind, and the bits of the parts of the base, the exponent and the value. The kinds:

- `ordinary`: parts that are `f32`, of several sizes, on both sides of the branch cut but not on it; the value by mpmath;
- `extreme`: parts from 1e-300 to 1e300 and close to one, of which the value is a normal number; by mpmath;
- `special`: zeros, infinities and NaN, and small integers as exponents; by NumPy.
"""

import itertools
import random
import struct

import mpmath
import numpy as np
from mpmath import mp, mpc

mp.prec = 2000
COUNT = 300
PARTS = [0.0, -0.0, 0.5, -1.0, 2.0, np.inf, -np.inf, np.nan]
EXPONENTS = [0, 1, 2, 3, -1, -2, 0.5, 1j, 2 + 1j, complex(0.0, -0.0), complex(2, -0.0)]


def single(x):
    """The nearest f32."""
    return struct.unpack(">f", struct.pack(">f", x))[0]


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', float(x)))[0]:016x}"


def row(kind, base, exponent, value):
    parts = [part for z in (base, exponent, value) for part in (z.real, z.imag)]
    print(",".join([kind, *map(bits, parts)]))


def ordinary(rng):
    sign = rng.choice([-1, 1])
    kinds = [rng.uniform(0, 8), 1 + rng.uniform(-1, 1) * 2.0 ** rng.uniform(-20, 0), 10 ** rng.uniform(-4, 1)]
    return single(sign * rng.choice(kinds))


def extreme(rng):
    sign = rng.choice([-1, 1])
    kinds = [10 ** rng.uniform(-300, 300), 10 ** rng.uniform(-8, 8), 1 + rng.uniform(-1, 1) * 10 ** rng.uniform(-15, -1)]
    return sign * rng.choice(kinds)


def main():
    rng = random.Random(29)
    print("kind,base's real,base's imaginary,exponent's real,exponent's imaginary,value's real,value's imaginary")
    for kind, part, count in (("ordinary", ordinary, COUNT), ("extreme", extreme, COUNT)):
        while count:
            base = complex(part(rng), part(rng))
            log = mp.ln(mpc(base))
            if kind == "extreme":
                # Of any size for which the value is a float
                size = 10 ** rng.uniform(-3, 2.8) / float(abs(log))
                exponent = complex(rng.uniform(-1, 1) * size, rng.choice([0, 1]) * rng.uniform(-1, 1) * size)
                if rng.random() < 0.2:
                    exponent = complex(float(round(exponent.real)), 0)
            else:
                exponent = complex(part(rng), part(rng))
            power = mpc(exponent) * log
            if exponent == 0 or abs(power.real) > (85 if kind == "ordinary" else 700):
                continue
            value = mp.exp(power)
            row(kind, base, exponent, mpc(value))
            count -= 1
    np.seterr(all="ignore")
    for re, im, exponent in itertools.product(PARTS, PARTS, EXPONENTS):
        base = np.array([complex(re, im)])
        row("special", base[0], complex(exponent), (base ** np.array([complex(exponent)]))[0])


assert mpmath.__version__ == "1.4.1", mpmath.__version__
main()
