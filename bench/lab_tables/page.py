"""Fills a page's tables anew: what stands between `<!-- lab: WORDS -->` and `<!-- lab: end -->` is replaced, everything else is left as it is.
WORDS: provenance; six, contributions, kahn, blog (a document's tables); table LADDER GRAPH; rungs LADDER; sizes LADDER; break-even."""

import contextlib
import io
import os
import re
import shutil

from . import kahn, measured, others, six
from .run import Said, give_up

WORDS_AFTER = {"table": 2, "rungs": 1, "sizes": 1}  # others have none
MARK = re.compile(r"(<!-- lab: (?!end -->)([^\n]*?) -->\n)((?:(?!<!-- lab:).)*)(<!-- lab: end -->)", re.S)
NUMBER = re.compile(r"(?:up to |<|-)?\d")


def builders(run):
    said = Said()
    return {
        "provenance": lambda: measured.provenance(run),
        "six": lambda: six.tables(run, said),
        "contributions": lambda: others.contributions(run, said),
        "kahn": lambda: kahn.tables(run, said),
        "blog": lambda: others.blog(run, said),
        "table": lambda ladder, graph: measured.one_input(run, ladder, graph),
        "rungs": lambda ladder: measured.rungs_table(run, ladder),
        "sizes": lambda ladder: measured.one_sweep(run, ladder),
        "break-even": lambda: measured.even_table(run),
    }


def replace(path, text):
    """Written beside, then named: a page is never half there."""
    beside = f"{path}.{os.getpid()}.new"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(beside)


def numbers(text):
    """How many cells of its tables begin with a number."""
    cells = [part.strip() for line in text.splitlines() if line.startswith("|") for cell in line.split("|") for part in cell.split("; ")]
    return sum(bool(NUMBER.match(cell)) for cell in cells)


def check_marks(path, page):
    """Every mark has its own end: else words by hand, up to the end of another, would be taken for a table."""
    if not MARK.search(page):
        give_up(f"{path} has no <!-- lab: ... -->")
    alone = re.search(r"<!-- lab:[^\n]*", MARK.sub("", page))
    if alone:
        give_up(f"{path}: {alone.group()} stands alone: a mark needs an end of its own")


def fill(run, path, fewer):
    """fewer: numbers may be lost."""
    make = builders(run)
    lost = 0

    def anew(found):
        nonlocal lost
        name, *words = found.group(2).split() or [""]
        if name not in make or len(words) != WORDS_AFTER.get(name, 0):
            give_up(f"{path}: what is '{found.group(2)}'?")
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            make[name](*words)
        lost += max(0, numbers(found.group(3)) - numbers(text.getvalue()))
        return found.group(1) + "\n" + text.getvalue().strip("\n") + "\n\n" + found.group(4)

    try:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        check_marks(path, page)
        filled = MARK.sub(anew, page)
        if lost and not fewer:
            give_up(f"{path} stays as it is: {lost} cell{'s' * (lost != 1)} would lose a number. Are all files named? --fewer writes it all the same")
        replace(os.path.realpath(path), filled)
    except OSError as wrong:
        give_up(f"{path}: {wrong.strerror}")
