"""What `numpy.result_type` answers for every three dtypes: writes numpy_result_type_3.csv.

Run with NumPy 2.4.6 and ml_dtypes 0.6.0: python numpy_result_type_3.py > numpy_result_type_3.csv
"""

import itertools

import ml_dtypes
import numpy as np

DTYPES = {
    "bool": np.bool_,
    **{f"u{bits}": getattr(np, f"uint{bits}") for bits in (8, 16, 32, 64)},
    **{f"i{bits}": getattr(np, f"int{bits}") for bits in (8, 16, 32, 64)},
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e5m2": ml_dtypes.float8_e5m2,
    "bf16": ml_dtypes.bfloat16,
    **{f"f{bits}": getattr(np, f"float{bits}") for bits in (16, 32, 64)},
    "c64": np.complex64,
    "c128": np.complex128,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


def result_type(*names):
    try:
        return NAMES[np.result_type(*(np.dtype(DTYPES[name]) for name in names))]
    except TypeError:
        return "error"


print("a,b,c,result_type")
for names in itertools.product(DTYPES, repeat=3):
    print(",".join((*names, result_type(*names))))
