"""Has a file the shape of what `weft lab LADDER --json` writes, as far as the tables read it?  Files of older labs lack what came later."""

NUMBER, WORDS, FLAG = (int, float), (str,), (bool,)
NONE = (type(None),)

PROVENANCE = {"date": WORDS, "build": WORDS, "cpu": WORDS, "threads": NUMBER, "repeat": NUMBER, "gpu": (dict,) + NONE}
TABLE = {"ladder": WORDS, "input": WORDS, "sized": FLAG, "vertices": NUMBER, "edges": NUMBER, "rows": (list,)}
ROW = {"number": NUMBER, "rung": WORDS, "backend": WORDS, "status": WORDS, "verified": FLAG, "message": WORDS, "document_said_ms": NUMBER + NONE}
VERIFIED = {
    "runs": NUMBER,
    "run_ms": (dict,),
    "part_ms": (dict,),
    "edges_per_second": NUMBER,
    "model_bytes": NUMBER + NONE,
    "effective_gbs": NUMBER + NONE,
    "max_difference": NUMBER + NONE,
}
RUN_MS = dict.fromkeys(("median", "min", "max"), NUMBER)
PART_MS = dict.fromkeys(("allocate", "copy_in", "kernel", "copy_out", "free"), NUMBER)
SWEEP = {"ladder": WORDS, "points": (list,)}
POINT = {"vertices": NUMBER, "cpu_rung": WORDS, "gpu_rung": WORDS, "speedup": NUMBER, "kernel_speedup": NUMBER, "limit": NUMBER + NONE}


def lacks(thing, keys, where):
    """In words, the first key that is missing or of another kind; None = there is none."""
    if not isinstance(thing, dict):
        return f"{where} is not an object"
    wrong = next((key for key, kinds in keys.items() if key not in thing or not isinstance(thing[key], kinds)), None)
    return wrong and f"{where} has no {wrong}" + (" that makes sense" if wrong in thing else "")


def row_lacks(row, where):
    wrong = lacks(row, ROW, where)
    if wrong or not row["verified"]:
        return wrong
    return lacks(row, VERIFIED, where) or lacks(row["run_ms"], RUN_MS, f"{where}: run_ms") or lacks(row["part_ms"], PART_MS, f"{where}: part_ms")


def each(things, check, where):
    return next((wrong for i, thing in enumerate(things) if (wrong := check(thing, f"{where} {i + 1}"))), None)


def table_lacks(table, where):
    return lacks(table, TABLE, where) or each(table["rows"], row_lacks, f"{where}, row")


def sweep_lacks(sweep, where):
    return lacks(sweep, SWEEP, where) or each(sweep["points"], lambda point, at: lacks(point, POINT, at), f"{where}, point")


def book_lacks(book):
    return (
        lacks(book, {"provenance": (dict,), "tables": (list,), "sweeps": (list,), "complete": FLAG}, "it")
        or lacks(book["provenance"], PROVENANCE, "provenance")
        or each(book["tables"], table_lacks, "table")
        or each(book["sweeps"], sweep_lacks, "sweep")
    )
