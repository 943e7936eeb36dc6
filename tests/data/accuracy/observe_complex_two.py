"""Writes complex_two.csv: operations on two complex numbers, and signs, for `tests/accuracy/complex_two.rs`.

    pip install mpmath==1.3.0 && python3 observe_complex_two.py > complex_two.csv

A row is an operation, and the bits of the parts of both operands and the value. The parts of operands are `f32`. A sign has its operand
twice.
"""

import random
import struct

from mpmath import mp, mpc

mp.prec = 300
COUNT = 120
I = mpc(0, 1)
OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "atan2": lambda y, x: -I * mp.log((x + I * y) / mp.sqrt(x * x + y * y)),
    "sign": lambda a, _: a / abs(a),
}


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', float(x)))[0]:016x}"


def part(rng):
    """An f32 of one of several sizes."""
    x = rng.choice([-1, 1]) * rng.uniform(1, 2) * 2.0 ** rng.choice([0, rng.randint(-4, 4), rng.randint(-30, 30)])
    return struct.unpack(">f", struct.pack(">f", x))[0]


rng = random.Random(31)
for _ in range(COUNT):
    a, b = [mpc(part(rng), part(rng)) for _ in range(2)]
    for name, operation in OPERATIONS.items():
        rhs = a if name == "sign" else b
        parts = [part for z in (a, rhs, operation(a, rhs)) for part in (z.real, z.imag)]
        print(",".join([name, *map(bits, parts)]))
