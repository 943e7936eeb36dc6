"""Writes weather.npz, with Python's standard library only: three arrays of one week at two stations, as
instruments and loggers leave them, each in a dtype of its own. The numbers are made up."""

import struct
import zipfile

DAYS, STATIONS = 7, 2


def npy(descr, code, values, shape):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{code}", *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


arrays = {
    # Hundredths of a millimetre.
    "rain": npy("<u2", "H", [0, 0, 120, 80, 1540, 1320, 60, 0, 0, 0, 310, 275, 900, 65535], (DAYS, STATIONS)),
    "scale": npy("<f8", "d", [0.01], ()),
    # Degrees Celsius.
    "temperature": npy(
        "<f2", "e", [11.5, 9.25, 12.0, 9.5, 8.75, 7.0, 10.5, 8.5, 14.0, 11.25, 9.5, 8.0, 7.5, float("nan")], (DAYS, STATIONS)
    ),
}

with zipfile.ZipFile("weather.npz", "w", zipfile.ZIP_DEFLATED) as archive:
    for name, content in arrays.items():
        # A fixed date, so that the file is the same whenever it is written.
        archive.writestr(zipfile.ZipInfo(f"{name}.npy", (2024, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
