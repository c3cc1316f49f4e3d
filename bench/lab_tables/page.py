"""Fills a page's tables anew: what stands between `<!-- lab: WORDS -->` and `<!-- lab: end -->` is replaced, everything else is left as it is.
WORDS: provenance; six, contributions, kahn, blog (a document's tables); table LADDER GRAPH; rungs LADDER; sizes LADDER; break-even."""

import contextlib
import io
import re

from . import kahn, measured, others, six
from .run import Said, give_up

MARK = re.compile(r"(<!-- lab: (?!end)(.*?) -->\n).*?(<!-- lab: end -->)", re.S)


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


def fill(run, path):
    make = builders(run)

    def anew(found):
        name, *words = found.group(2).split()
        text = io.StringIO()
        try:
            with contextlib.redirect_stdout(text):
                make[name](*words)
        except (KeyError, TypeError):
            if name in make and name not in ("table", "rungs", "sizes"):
                raise
            give_up(f"{path}: what is '{found.group(2)}'?")
        return found.group(1) + "\n" + text.getvalue().strip("\n") + "\n\n" + found.group(3)

    try:
        with open(path, encoding="utf-8") as file:
            page = file.read()
        filled, marks = MARK.subn(anew, page)
        if not marks:
            give_up(f"{path} has no <!-- lab: ... -->")
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled)
    except OSError as wrong:
        give_up(f"{path}: {wrong.strerror}")
