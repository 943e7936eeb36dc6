"""Writes f64_hard.csv anew: values of functions of `f64` at the arguments that the file has, with mpmath, for `tests/accuracy/hard.rs`.

    pip install mpmath==1.4.1 && python3 observe_hard.py < f64_hard.csv > new.csv

The arguments are hard for our functions. A search measured the errors at three million arguments of all sizes, many of them where polynomials begin
and end, near one and zero, near overflow or near underflow. The file has those with the largest errors, others from the same places, and the first
and last arguments of results that are finite, subnormal or not zero. Of `sin`, `cos` and `tan` it also has the numbers closest to multiples of π / 2,
which continued fractions of 2ⁿ / π give, of `hypot` pairs whose squares have large rounding errors, and of `log_add_exp` pairs whose difference
is rounded and whose greater number nearly cancels.

A row is a function, the bits of its argument (of `pow`, `atan2`, `hypot` and `log_add_exp` of two), those of the nearest `f64` to the value, and the value minus
that `f64`, in units in the last place.
"""

import math
import struct
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 2400
FUNCTIONS = {
    "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x,
    "exp_m1": mp.expm1,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "gelu_tanh": lambda x: x / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3))),
    "gelu": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "erf": mp.erf,
    "erfc": mp.erfc,
    "ln": mp.ln,
    "ln_1p": mp.log1p,
    "log2": lambda x: mp.ln(x) / mp.ln(2),
    "log10": mp.log10,
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "atan": mp.atan,
    "asin": mp.asin,
    "acos": mp.acos,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "pow": mp.power,
    "atan2": mp.atan2,
    "hypot": mp.hypot,
    "log_add_exp": lambda x, y: max(x, y) + mp.log1p(mp.exp(-abs(x - y))),
}


def number(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def bits(x):
    return struct.pack(">d", x).hex()


def main():
    print("function,arguments,value,rest")
    for row in sys.stdin.read().split()[1:]:
        name, *arguments = row.split(",")[:-2]
        exact = FUNCTIONS[name](*(mpf(number(argument)) for argument in arguments))
        value = mpmath.libmp.to_float(exact._mpf_, rnd="n")
        rest = 0 if math.isinf(value) else (exact - mpf(value)) / mpf(math.ulp(value))
        print(",".join([name, *arguments, bits(value), bits(float(rest))]))


assert mpmath.__version__ == "1.4.1", mpmath.__version__
main()
