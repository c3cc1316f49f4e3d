"""Writes a .npy file by the format's definition, without NumPy.  Arguments: FILE TYPE SHAPE NUMBER...
TYPE is such as '<f4' ('|V2': the upper halves of f4, which is bf16), SHAPE such as '(3, 2)'; a + before it means Fortran order, VERSION=2 in the environment the longer
header."""
import os
import struct
import sys

CODES = {"f2": "e", "f4": "f", "f8": "d", "i8": "q", "u2": "H", "V2": "H"}

path, kind, shape, *numbers = sys.argv[1:]
fortran = shape.startswith("+")
version = int(os.environ.get("VERSION", "1"))
header = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape.lstrip('+')}, }}"
start = 10 if version == 1 else 12
header += " " * (-(start + len(header) + 1) % 64) + "\n"
numbers = [int(x) if kind[1] in "iu" else float(x) for x in numbers]
if kind[1] == "V":
    numbers = [struct.unpack("<I", struct.pack("<f", x))[0] >> 16 for x in numbers]
with open(path, "wb") as f:
    f.write(b"\x93NUMPY" + bytes([version, 0]))
    f.write(struct.pack("<H" if version == 1 else "<I", len(header)) + header.encode())
    f.write(struct.pack(kind[0].replace("|", "=") + f"{len(numbers)}" + CODES[kind[1:]], *numbers))
