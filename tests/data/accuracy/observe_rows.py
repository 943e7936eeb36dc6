"""Writes rows_f64.csv, rows_c128.csv, binary_f64.csv and normal_f64.csv: exact results of operations along rows, of functions of two
operands and of random draws, for `tests/accuracy`.

    pip install mpmath==1.3.0 && python3 observe_rows.py

Numbers are the bits of f64. A value has two: the nearest f64, and the rest.

- `rows_f64.csv`: `x,columns,numbers` has a matrix of four rows; the rows behind it have its results, `operation,values`.
- `rows_c128.csv`: the same of complex numbers, as their real and imaginary parts.
- `binary_f64.csv`: `function,x,y,value,rest`.
- `normal_f64.csv`: `draw,value,rest`, where a draw has 64 random bits.
"""

import pathlib
import random
import struct
from itertools import accumulate, chain

from mpmath import mp, mpc, mpf

mp.prec = 2200
ROWS = 4
PAIRS = 200
FACTORS = 20


def bits(x):
    return f"{struct.unpack('>Q', struct.pack('>d', float(x)))[0]:016x}"


def value(exact):
    nearest = float(exact)
    return [bits(nearest), bits(exact - mpf(nearest))]


def variance(row, correction=0):
    count = len(row) - correction
    if count == 0:
        return mp.nan
    mean = mp.fsum(row) / len(row)
    return mp.fsum(abs(x - mean) ** 2 for x in row) / count


def quantile(row, q):
    row = sorted(row)
    place = mpf(q) * (len(row) - 1)
    low = int(mp.floor(place))
    high = min(low + 1, len(row) - 1)
    return row[low] + (row[high] - row[low]) * (place - low)


def logarithm(row):
    return mp.log(mp.fsum(mp.exp(x) for x in row))


def covariances(rows):
    count = len(rows[0]) - 1
    if count == 0:
        return [mp.nan for _ in rows for _ in rows]
    centred = [[x - mp.fsum(row) / len(row) for x in row] for row in rows]
    return [mp.fsum(a * b for a, b in zip(x, y)) / count for x in centred for y in centred]


def correlations(rows):
    products = covariances(rows)
    squares = products[:: len(rows) + 1]
    return [mp.nan if mp.isnan(x) else x / mp.sqrt(squares[at // len(rows)] * squares[at % len(rows)]) for at, x in enumerate(products)]


ALONG_ROWS = {
    "softmax": lambda row: [mp.exp(x - logarithm(row)) for x in row],
    "log_softmax": lambda row: [x - logarithm(row) for x in row],
    "log_sum_exp": lambda row: [logarithm(row)],
    "norm": lambda row: [mp.sqrt(mp.fsum(abs(x) ** 2 for x in row))],
    "norm_1": lambda row: [mp.fsum(abs(x) for x in row)],
    "norm_3": lambda row: [mp.cbrt(mp.fsum(abs(x) ** 3 for x in row))],
    "sum": lambda row: [mp.fsum(row)],
    "prod": lambda row: [mp.fprod(row[:FACTORS])],
    "cumsum": lambda row: list(accumulate(row)),
    "cumprod": lambda row: list(accumulate(row[:FACTORS], lambda a, b: a * b)),
    "mean": lambda row: [mp.fsum(row) / len(row)],
    "var": lambda row: [variance(row)],
    "std": lambda row: [mp.sqrt(variance(row))],
    "var_corrected": lambda row: [variance(row, 1)],
    "std_corrected": lambda row: [mp.sqrt(variance(row, 1))],
    "quantile": lambda row: [quantile(row, 0.3)],
}


def matrices(rng):
    for columns in [1, 2, 7, 40]:
        # The numbers of the last matrix are far from zero, and near one another.
        for mean, scale in [(0.0, 0.25), (0.0, 4.0), (1000.0, 1.0)]:
            rows = [[mpf(mean + rng.uniform(-scale, scale)) for _ in range(columns)] for _ in range(ROWS)]
            yield ",".join(["x", str(columns), *(bits(x) for row in rows for x in row)])
            for name, function in ALONG_ROWS.items():
                results = [bits for row in rows for exact in function(row) for bits in value(exact)]
                yield ",".join([name, *results])
            products = [mp.fsum(a * b for a, b in zip(x, y)) for x in rows for y in rows]
            for name, results in [("matmul", products), ("cov", covariances(rows)), ("corrcoef", correlations(rows))]:
                yield ",".join([name, *(bits for exact in results for bits in value(exact))])


OF_COMPLEX = ["norm", "norm_1", "norm_3", "sum", "prod", "cumsum", "cumprod", "mean", "var", "std", "var_corrected", "std_corrected"]


def parts(z):
    return [mp.re(z), mp.im(z)]


def complex_matrices(rng):
    for columns in [1, 2, 7, 40]:
        for mean, scale in [(0.0, 0.25), (0.0, 4.0), (1000.0, 1.0)]:
            part = lambda: mean + rng.uniform(-scale, scale)
            rows = [[mpc(part(), part()) for _ in range(columns)] for _ in range(ROWS)]
            yield ",".join(["x", str(columns), *(bits(x) for row in rows for z in row for x in parts(z))])
            results = {name: [exact for row in rows for exact in ALONG_ROWS[name](row)] for name in OF_COMPLEX}
            results["matmul"] = [mp.fsum(a * b for a, b in zip(x, y)) for x in rows for y in rows]
            for name, exact in results.items():
                yield ",".join([name, *(bits for z in exact for x in parts(z) for bits in value(x))])


def anywhere(rng, exponents):
    return rng.choice([-1, 1]) * rng.uniform(1, 2) * 2.0 ** rng.randint(-exponents, exponents)


def beside(rng, x, exponents):
    """A number of about the size of x."""
    return x * anywhere(rng, exponents)


def pairs(rng):
    for number in range(PAIRS):
        x = anywhere(rng, 300 if number % 2 else 3)
        y = beside(rng, x, 30 if number % 4 > 1 else 2)
        yield "hypot", x, y, mp.sqrt(mpf(x) ** 2 + mpf(y) ** 2)
        yield "atan2", x, y, mp.atan2(mpf(x), mpf(y))
        base = abs(x)
        # The exponent is such that the value lies within the range, also far from one.
        y = rng.uniform(-700, 700) / float(abs(mp.log(base)))
        yield "pow", base, y, mpf(base) ** mpf(y)
        x = rng.uniform(-700, 700) if number % 2 else rng.uniform(-3, 3)
        y = x + rng.uniform(-40, 40) if number % 4 > 1 else x + rng.uniform(-2, 2)
        yield "log_add_exp", x, y, logarithm([mpf(x), mpf(y)])


def units_below_zero(rng):
    for number in range(PAIRS):
        x = -abs(anywhere(rng, 60 if number % 2 else 4))
        alpha = anywhere(rng, 3) if number % 4 > 1 else 1.0
        yield "elu", x, alpha, alpha * mp.expm1(mpf(x))


def quotients(rng):
    for number in range(PAIRS):
        x = anywhere(rng, 60 if number % 2 else 4)
        # Some quotients have about as many digits as an f64.
        y = beside(rng, x, [2, 70][number // 2 % 2]) if number % 3 else x / (rng.uniform(-1, 1) * 2.0**53)
        floor = mp.floor(mpf(x) / mpf(y))
        yield "rem", x, y, mpf(x) - floor * mpf(y)
        yield "floor_div", x, y, floor


def draws(rng):
    for number in range(PAIRS):
        # Every second draw is near an end, where numbers are far from the mean.
        draw = rng.getrandbits(64)
        draw = draw >> rng.randint(0, 50) if number % 2 else draw
        probability = (mpf(draw >> 12) + 0.5) * mpf(2) ** -52
        exact = mp.sqrt(2) * mp.erfinv(2 * probability - 1)
        yield ",".join([f"{draw:016x}", *value(exact)])


def write(name, rows):
    with open(pathlib.Path(__file__).with_name(name), "w") as file:
        file.writelines(row + "\n" for row in rows)


write("rows_f64.csv", matrices(random.Random(19)))
write("rows_c128.csv", complex_matrices(random.Random(24)))
operands = chain(pairs(random.Random(20)), units_below_zero(random.Random(21)), quotients(random.Random(22)))
write("binary_f64.csv", (",".join([name, bits(x), bits(y), *value(exact)]) for name, x, y, exact in operands))
mp.prec = 300
write("normal_f64.csv", draws(random.Random(23)))
