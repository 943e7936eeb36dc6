"""Writes ml_dtypes_f8e4m3fn.txt and the like, one for each 8-bit float: what ml_dtypes makes of every float32.

The results change at few places, so that runs hold them all: each line is the first input of a run
and its result, in hex. Needs numpy and ml_dtypes; takes a few minutes.
"""

import pathlib

import ml_dtypes
import numpy

HERE = pathlib.Path(__file__).parent
CHUNK = 1 << 22
FORMATS = {
    name: getattr(ml_dtypes, f"float8_{name}")
    for name in ["e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz"]
}

numpy.seterr(all="ignore")
for name, dtype in FORMATS.items():
    with open(HERE / f"ml_dtypes_f8{name}.txt", "w") as out:
        print(
            f"# ml_dtypes {ml_dtypes.__version__}, numpy {numpy.__version__}: "
            f"float32 -> float8_{name} for all 2^32 inputs, by float8_runs.py",
            file=out,
        )
        print("# first input of a run and its result, in hex", file=out)
        last = None
        for start in range(0, 1 << 32, CHUNK):
            inputs = numpy.arange(start, start + CHUNK, dtype=numpy.uint64)
            floats = inputs.astype(numpy.uint32).view(numpy.float32)
            codes = floats.astype(dtype).view(numpy.uint8)
            changes = (numpy.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist()
            for index in ([] if codes[0] == last else [0]) + changes:
                print(f"{start + index:08x} {codes[index]:02x}", file=out)
            last = codes[-1]
