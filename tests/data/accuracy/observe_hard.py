"""Writes f64_hard.csv anew: values of functions of `f64` at the arguments that the file has, with mpmath, for `tests/accuracy`.

    pip install mpmath==1.4.1 && python3 observe_hard.py < f64_hard.csv > new.csv

The arguments are hard for our functions. A search measured the errors at three million arguments of all sizes, of which half lie where
the polynomials begin and end, near overflow or near underflow, and kept those with the largest errors. Beside them stand the first and
last arguments of results that are finite, subnormal or not zero, and some that showed faults of earlier forms.

A row is a function, the bits of the argument, those of the nearest `f64`, and what that lacks in units in the last place.
"""

import math
import struct
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 300
FUNCTIONS = {
    "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x,
    "exp_m1": mp.expm1,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "gelu_tanh": lambda x: x / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3))),
}


def number(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def bits(x):
    return struct.pack(">d", x).hex()


def main():
    print("function,argument,value,units")
    for row in sys.stdin.read().split()[1:]:
        name, argument = row.split(",")[:2]
        exact = FUNCTIONS[name](mpf(number(argument)))
        value = mpmath.libmp.to_float(exact._mpf_, rnd="n")
        unit = 0 if math.isinf(value) else (exact - mpf(value)) / mpf(math.ulp(value))
        print(f"{name},{argument},{bits(value)},{bits(float(unit))}")


assert mpmath.__version__ == "1.4.1", mpmath.__version__
main()
