"""What the hostile harnesses share: the program, numbered cases in a folder of their own, findings, and the line at
the end.

Case N draws from a generator of its own, seeded by --seed and N, so that one case can be repeated alone:
    kills.py [--seed S] [--first N] [--cases N] [--seconds X] [--keep FOLDER]
WEFT_BIN names the program, WEFT_HOSTILE_SECONDS what --seconds defaults to, WEFT_HOSTILE_PATIENCE the seconds after
which a process hangs."""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
WEFT = str(pathlib.Path(os.environ.get("WEFT_BIN", HERE.parents[1] / "build/weft")).resolve())
PATIENCE = float(os.environ.get("WEFT_HOSTILE_PATIENCE", 60))
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENOUGH = 10  # findings, after which a run ends
START, SCRIPT = os.getcwd(), os.path.abspath(sys.argv[0])

tally = collections.Counter()  # what was done, for the line at the end


class Finding(Exception):
    """Something is wrong."""


def require(condition, *what):
    if not condition:
        raise Finding(" ".join(map(str, what)))


def weft(*words, **more):
    """Runs the program to its end."""
    try:
        return subprocess.run([WEFT, *words], capture_output=True, timeout=PATIENCE, **more)
    except subprocess.TimeoutExpired:
        raise Finding(f"weft {' '.join(words)} does not end") from None


def done(*words, **more):
    """Runs the program, which must succeed."""
    run = weft(*words, **more)
    require(
        run.returncode == 0,
        f"weft {' '.join(words)} exits with {run.returncode}:",
        run.stderr.decode(errors="replace")[:300],
    )
    return run.stdout


def graph_of(store):
    """The graph of a store as parsed JSON, or None where it is refused with exit code 3 and a reason."""
    run = weft("dynamic", "snapshot", store, "-o", "state.json", "--to", "json", "-q")
    if run.returncode:
        require(
            run.returncode == 3 and run.stderr and not os.path.exists("state.json"),
            "reading exits with",
            run.returncode,
            run.stderr[:200],
        )
        return None
    try:
        return json.loads(pathlib.Path("state.json").read_bytes())
    finally:
        os.unlink("state.json")


def remove(path):
    shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def strangers(*expected):
    """Files in the folder that nobody expects, such as temporary ones."""
    return sorted(set(os.listdir(".")) - set(expected))


def read(path):
    return pathlib.Path(path).read_bytes() if os.path.isfile(path) else None


def arguments(title):
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", type=int, default=0, help="as many, instead of --seconds")
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("WEFT_HOSTILE_SECONDS", 20)))
    parser.add_argument("--keep", help="a folder for the files of a case that found something")
    return parser.parse_args()


def numbers(asked):
    """The cases to run: as many as asked for, or those that begin in time; one at least."""
    end, number = time.monotonic() + asked.seconds, asked.first
    while number < asked.first + asked.cases if asked.cases else number == asked.first or time.monotonic() < end:
        yield number
        number += 1


def report(asked, number, finding):
    again = f"{SCRIPT} --seed {asked.seed} --first {number} --cases 1"
    print(f"FAILED  case {number}: {finding}\n        again: {again}", flush=True)
    if asked.keep:
        shutil.copytree(".", os.path.join(START, asked.keep, f"case-{number}"), dirs_exist_ok=True)


def main(title, case, prepare=None):
    """Runs case(chance, prepared) for each number in a folder that has only what prepare() made."""
    asked, name, found, count = arguments(title), pathlib.Path(SCRIPT).stem, 0, 0
    for which in SIGNALS:  # a background job of a shell ignores some, and would pass that on
        signal.signal(which, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="weft-hostile-") as folder:
        os.chdir(folder)
        prepared = prepare() if prepare else None
        kept = os.listdir(".")
        for number in numbers(asked):
            count += 1
            try:
                case(random.Random(f"{asked.seed} {number}"), prepared)
            except Finding as finding:
                report(asked, number, finding)
                found += 1
            for stray in strangers(*kept):
                remove(stray)
            if found == ENOUGH:
                break
        os.chdir(START)
    done_what = ", ".join(f"{value} {key}" for key, value in sorted(tally.items()))
    print(f"{name}: {count} cases, {found} findings; {done_what}")
    sys.exit(found > 0)
