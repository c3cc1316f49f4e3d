"""Reads .npy files by the format's definition, without NumPy.  Arguments: FILE:ROW.  Prints the name, the number of
rows, the fields, and that row (negative: from the end).  Fields that hold several numbers are followed by how many; f2 and V2
(bf16, shown as its bits) by their type."""
import ast
import struct
import sys

CODES = {"u4": "I", "u8": "Q", "i8": "q", "f4": "f", "f8": "d", "f2": "e", "V2": "H"}


def code(kind, count=1):
    return f"{kind[2:]}s" if kind[1] == "S" else f"{count}{CODES[kind[1:]]}"


for argument in sys.argv[1:]:
    path, row = argument.split(":")
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", "magic"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0, "alignment"
    assert data[10 + length - 1:10 + length] == b"\n", "newline"
    header = ast.literal_eval(data[10:10 + length].decode("latin1"))
    assert header["fortran_order"] is False
    rows, *columns = header["shape"]
    descr = header["descr"]
    fields = descr if isinstance(descr, list) else [("", descr, *([tuple(columns)] if columns else []))]
    order = "<" if all(field[1][0] in "<|" for field in fields) else ">"
    layout = struct.Struct(order + "".join(code(kind, *(shape[0] for shape in more)) for _, kind, *more in fields))
    assert len(data) - 10 - length == rows * layout.size, "size"
    table = [layout.unpack_from(data, 10 + length + i * layout.size) for i in range(rows)]
    names = [name + "".join(f"*{shape[0]}" for shape in more) + (kind if kind[2:] == "2" else "")
             for name, kind, *more in fields]
    print(path, rows, ",".join(names), table[int(row)])
