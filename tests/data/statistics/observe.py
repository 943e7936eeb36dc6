"""What NumPy computes for interpolations, memberships, covariances, windows and quarter turns.

    python observe.py > answers.csv

`answers.csv` is of NumPy 2.4.6. The columns after the name are arguments and the result, each a shape, a colon and numbers, or a number.
An argument that a function does not have is empty.
"""

import numpy as np

SPECIAL = [-np.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 1.0 + 1e-6, 1.0 + 1e-4, 2.0, 2.5, 3.0, 100.0, 100.001, np.inf, np.nan]
POINTS = [[1.0], [0.0, 1.0], [0.0, 1.0, 1.0, 3.0], [-2.0, -1.0, 0.5, 2.0, 2.75, 90.0], [-np.inf, 0.0, 2.0], [0.0, 2.0, np.inf]]


def text(array):
    if isinstance(array, (int, float)):
        return repr(array)
    array = np.asarray(array)
    return "x".join(map(str, array.shape)) + ":" + " ".join(repr(float(number)) for number in array.ravel())


def row(name, *columns):
    print(",".join([name, *("" if column is None else text(column) for column in columns)]))


def main():
    np.seterr(all="ignore")
    rng = np.random.default_rng(20)
    print("function,first,second,third,fourth,result")
    special = np.array(SPECIAL)
    for points in POINTS:
        values = [rng.integers(-8, 9, len(points)) / 2.0, rng.choice([np.inf, -np.inf, 1.0, 2.0, np.nan], len(points))]
        x = special[:-1] if len(points) == 1 else special
        for values in values:
            row("interp", x, points, values, None, np.interp(x, points, values))
    for relative, absolute in [(1e-5, 1e-8), (1e-3, 0.0), (0.0, 0.5), (0.0, 0.0)]:
        a, b = special[:, None], special[None]
        row("is_close", a, b, relative, absolute, np.isclose(a, b, relative, absolute))
    for size in [0, 1, 5, 12]:
        values = rng.choice(special, size)
        row("is_in", special.reshape(3, 5), values, None, None, np.isin(special.reshape(3, 5), values))
    for shape in [(1, 4), (3, 5), (2, 2), (4, 1), (3, 9)]:
        x = rng.integers(-9, 10, shape) / 4.0
        row("cov", x, 1, None, None, np.cov(x, ddof=1).reshape(len(x), -1))
        row("cov", x, 0, None, None, np.cov(x, ddof=0).reshape(len(x), -1))
        row("corrcoef", x, None, None, None, np.asarray(np.corrcoef(x)).reshape(len(x), -1))
    x = np.arange(24.0).reshape(2, 3, 4)
    for axis, size, step in [(0, 1, 1), (0, 2, 1), (1, 2, 1), (2, 2, 1), (2, 4, 3), (2, 1, 2), (-1, 3, 1), (-2, 1, 2)]:
        windows = np.lib.stride_tricks.sliding_window_view(x, size, axis)
        every = tuple(slice(None, None, step if number == axis % 3 else 1) for number in range(3))
        row("unfold", x, axis, size, step, windows[every])
    for turns in [0, 1, 2, 3, -1, 5]:
        for first, second in [(0, 1), (1, 0), (-1, 0)]:
            row("rot90", x, turns, first, second, np.rot90(x, turns, (first, second)))


if __name__ == "__main__":
    main()
