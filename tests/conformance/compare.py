"""Compares weft with NetworkX:  compare.py WEFT [--graphs N] [--first INDEX] [--only INDEX] [--algorithm NAME]

Every graph of graphs.py goes through every algorithm, by the program and its --json, and so through the commands that answer
questions.  What it must answer is said by tests/algo/<x>/reference.py, or tests/<x>/reference.py of a command: NetworkX where it has
the algorithm, else the definition, written down plainly.  There
check(case, run) calls run(flags...), which gives weft's answer as an Answer; expect (expecting.py) raises a Mismatch that
shows both.  A mismatch shows the graph, the command and both answers; ends like the other tests with a count."""
import argparse
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import traceback

import networkx as nx

from expecting import Mismatch
from graphs import SHAPES, Case


TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def references(folder):
    """The check of each algorithm, or command, that has a reference there."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "reference.py")
        if os.path.exists(path):
            spec = importlib.util.spec_from_file_location(f"reference_{name}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            found[name] = module.check
    return found


COMMANDS = references(TESTS)
CHECKS = references(os.path.join(TESTS, "algo")) | COMMANDS


class Answer:
    def __init__(self, output, said):
        self.said = said
        document = json.loads(output) if output else {}
        self.document = document
        self.result, self.table = document.get("result"), document.get("table")
        self.rows = document.get("rows", [])

    def column(self, name):
        return {row["id"]: row[name] for row in self.rows}


class Run:
    """Runs one algorithm on one graph; remembers the last command for the report."""

    def __init__(self, weft, algorithm, case, folder):
        self.start = [weft, algorithm, os.path.join(folder, "graph.txt")] + case.flags()
        self.weft = weft
        self.folder, self.launches, self.command = folder, 0, []

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.write(text)
        return path

    def __call__(self, *flags, codes=(0,)):
        self.command = self.start + list(flags) + ["--json"]
        self.launches += 1
        done = subprocess.run(self.command, capture_output=True, text=True)
        if done.returncode not in codes:
            raise Mismatch(f"exit code {done.returncode}, expected {codes}: {done.stderr}")
        return Answer(done.stdout, done.stderr)

    def other(self, *words):
        """What another command prints."""
        self.launches += 1
        return subprocess.run([self.weft, *words], capture_output=True, text=True, check=True).stdout


def compare(task):
    """(launches, what differs) of one graph."""
    weft, index, names = task
    launches, problems = 0, []
    with tempfile.TemporaryDirectory() as folder:
        case = Case(index)
        with open(os.path.join(folder, "graph.txt"), "w") as f:
            f.write(case.text())
        for name in names:
            case.rng.seed(f"{name} {index}")  # what one check draws does not depend on the checks before it
            run = Run(weft, name, case, folder)
            try:
                CHECKS[name](case, run)
            except Mismatch as mismatch:
                problems.append(f"{name} on {case.title()}\n{mismatch}\ncommand: {' '.join(run.command[1:])}\n"
                                f"lines of graph.txt:\n{case.text()}")
            except Exception:
                problems.append(f"{name} on {case.title()}\n{traceback.format_exc()}")
            launches += run.launches
    return launches, problems


def algorithms_of(weft):
    """The names in the section Algorithms of `weft help --all`."""
    lines = subprocess.run([weft, "help", "--all"], capture_output=True, text=True, check=True).stdout.splitlines()
    at = lines.index("Algorithms") + 1
    return [line.split()[0] for line in lines[at:lines.index("", at)] if not line.startswith("   ")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--graphs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--algorithm")
    options = parser.parse_args()

    known = algorithms_of(options.weft)
    failed = 0
    for name in known:
        if name not in CHECKS:
            failed += 1
            print(f"FAILED  {name} is not compared with anything: it has no tests/algo/{name}/reference.py")
    names = [options.algorithm] if options.algorithm else [name for name in known if name in CHECKS] + list(COMMANDS)
    indices = range(options.first, options.first + options.graphs) if options.only is None else [options.only]
    tasks = [(options.weft, index, names) for index in indices]
    launches = graphs = 0
    with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
        for started, problems in pool.imap_unordered(compare, tasks, chunksize=1):
            graphs += 1
            launches += started
            failed += len(problems)
            for problem in problems[:3]:
                print(f"FAILED  {problem}", flush=True)
            if failed > 20:
                pool.terminate()
                print("enough: the rest is not compared")
                break
    print(f"NetworkX {nx.__version__}: {graphs} graphs of {len(SHAPES)} shapes, {len(names)} algorithms, "
          f"{launches} runs: {', '.join(names)}")
    print(f"{graphs * len(names) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
