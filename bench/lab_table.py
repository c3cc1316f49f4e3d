#!/usr/bin/env python3
"""Markdown tables from what `weft lab LADDER ... --json FILE` wrote, beside what the documents said.
    bench/lab_table.py [--documents | --measured] FILE.json... [FILE.csv...] > table.md
    bench/lab_table.py --into PAGE.md [--fewer] FILE.json... [FILE.csv...]
--documents: the documents' own tables, all of them, with what they published (lab_tables/said.tsv has each value with its section).  What this run
did not measure is a dash with the reason below the table.  --measured: the tables of this run.  Without either: both.
--into: the tables of a page that has marks for them (lab_tables/page.py) are written anew; not if numbers would be lost, as they are when a file
is forgotten, unless with --fewer.
Sizes of a sweep become columns; each other input has a table of its own, and several inputs of one ladder have one of their whole runs.  Times are
milliseconds: kernels by the GPU's events (on the CPU by the clock), and the whole run, medians; what a document said is in brackets.  A rung that was
skipped says so; one that was not verified has no time; fewer than ten runs are told, with a star where --patience is the reason.
A FILE.csv is what `ncu --csv --metrics ... weft lab ...` printed, named NAME@GRAPH.csv (lab_tables/run.py): a table of its kernels."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
sys.dont_write_bytecode = True
from lab_tables import kahn, measured, others, page, six
from lab_tables.run import Run, Said, give_up


def documents(run):
    published = Said()
    six.tables(run, published)
    others.contributions(run, published)
    kahn.tables(run, published)
    others.blog(run, published)


def main(words):
    sys.stdout.reconfigure(encoding="utf-8")
    if "-h" in words or "--help" in words:
        print(__doc__)
        return
    parts = [w for w in words if w.startswith("--") and w != "--fewer"]
    fewer = "--fewer" in words
    words = [w for w in words if w != "--fewer"]
    into = words.pop(words.index("--into") + 1) if "--into" in words[:-1] else None
    paths = [w for w in words if not w.startswith("--")]
    no_page = "--into" in parts and into is None
    if not paths or no_page or len(parts) > 1 or (fewer and parts != ["--into"]) or any(p not in ("--documents", "--measured", "--into") for p in parts):
        give_up("which files? bench/lab_table.py [--documents | --measured | --into PAGE.md [--fewer]] FILE.json... [FILE.csv...]")
    run, profiles = Run(), []
    for path in dict.fromkeys(map(os.path.abspath, paths)):  # lab.json *.json names one twice
        if path.endswith(".csv"):
            profiles.append(run.add_csv(path))
        else:
            run.add_json(path)
    if parts == ["--into"]:
        if not run.books:
            give_up("a page needs a FILE.json: what weft lab LADDER --json wrote")
        page.fill(run, into, fewer)
        return
    measured.provenance(run)
    if parts != ["--measured"]:
        documents(run)
    if parts != ["--documents"]:
        measured.everything(run, profiles)


try:
    main(sys.argv[1:])
    sys.stdout.flush()
except OSError as wrong:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still held back goes nowhere
    if isinstance(wrong, BrokenPipeError):
        sys.exit(1)  # whoever reads has seen enough
    give_up(f"{wrong.filename or 'standard output'}: {wrong.strerror}")
