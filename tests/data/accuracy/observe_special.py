"""Writes complex_special.csv: NumPy's values of complex functions at zeros, infinities and NaN, for `tests/accuracy/complex_special.rs`.

    pip install numpy==2.4.6 && python3 observe_special.py > complex_special.csv

A row is a function, the bits of the two parts of an argument, and the bits of the parts of the value. NumPy calls the functions of
the C library (glibc 2.36), which follow Annex G of C.
"""

import itertools
import struct

import numpy as np

PARTS = [0.0, -0.0, 0.5, -1.0, 2.0, np.inf, -np.inf, np.nan]
FUNCTIONS = {
    "sqrt": np.sqrt, "exp": np.exp, "ln": np.log,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', float(x)))[0]:016x}"


def main():
    np.seterr(all="ignore")
    print("function,real,imaginary,value's real,value's imaginary")
    for name, function in FUNCTIONS.items():
        for re, im in itertools.product(PARTS, PARTS):
            value = function(np.array([complex(re, im)]))[0]
            print(f"{name},{bits(re)},{bits(im)},{bits(value.real)},{bits(value.imag)}")


main()
