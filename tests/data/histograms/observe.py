"""NumPy's histograms of given edges, densities and counts with weights.

    python observe.py > answers.csv

`answers.csv` is of NumPy 2.4.6. A row of a histogram is `elements, edges, weights, counts, sums, density, weighted density`, and one of
`bincount` is `bincount, numbers, least length, weights, counts, sums` with an empty seventh column. Numbers are separated by spaces.
Weights are multiples of a quarter, so that sums do not depend on their order.
"""

import numpy as np

NUMBERS = [-np.inf, -1.0, -0.25, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, np.inf, np.nan]
EDGES = [
    [0.0, 1.0], [0.0, 0.25, 0.5, 1.0], [-1.0, 0.0, 0.0, 2.0], [-1.0, 1.0, 1.0], [1.0, 1.0], [0.5], [], [-np.inf, 0.0, np.inf],
    [-2.0, -1.5, -0.25, 0.1, 0.7, 1.5, 2.5, 3.0], [0.0, np.inf],
]


def text(numbers):
    return " ".join(repr(float(number)) for number in numbers)


def main():
    np.seterr(all="ignore")
    rng = np.random.default_rng(20)
    print("elements,edges,weights,counts,sums,density,weighted_density")
    for edges in EDGES:
        edges = np.array(edges)
        for size in [0, 1, 12, 40]:
            x = rng.choice(NUMBERS, size)
            weights = rng.integers(-20, 60, size) / 4.0
            answers = [np.histogram(x, edges, weights=w, density=d)[0] for d in (False, True) for w in (None, weights)]
            print(",".join(text(column) for column in [x, edges, weights, *answers]))
    for least in [0, 3, 30]:
        for size in [0, 1, 12, 40]:
            x = rng.integers(0, 20, size)
            weights = rng.integers(-20, 60, size) / 4.0
            columns = [x, [least], weights, np.bincount(x, minlength=least), np.bincount(x, weights, least)]
            print(",".join(["bincount", *map(text, columns), ""]))


if __name__ == "__main__":
    main()
