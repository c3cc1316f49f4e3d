"""Files between weft and NetworkX:  formats.py WEFT [--graphs N] [--first INDEX] [--only INDEX] [--form NAME] [--all]

Every graph of graphs.py is written by NetworkX (or SciPy, NumPy) in every form of files_in.py and read by weft, and written
by weft and read by NetworkX in every form of files_out.py.  Vertices, direction, edges and weights must be the same.  A
mismatch shows the graph, the command and both sides; ends like the other tests with a count."""
import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter

import networkx as nx

from exchange import Mismatch, Plain, Subject
from files_in import INPUTS
from files_out import OUTPUTS
from table_property import edges_of, split_fields


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise Mismatch(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}")


def plain_of(path):
    """The graph in an edge list that weft wrote."""
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    directed, edges, alone = edges_of(text)
    vertices = {v for u, w, _ in edges for v in (u, w)}
    for line in alone:
        vertices.add(split_fields(line[3:] + "\n")[0][0])
    dense = re.match(r"# weft edge list .* vertices (\d+) from (-?\d+)", text)
    if dense:
        first = int(dense[2])
        vertices |= {str(v) for v in range(first, first + int(dense[1]))}
    return Plain(directed, vertices, edges)


def check_input(weft, form, subject, folder):
    """NetworkX writes, weft reads.  False: the form has no place for such a graph."""
    path, out = os.path.join(folder, "in." + form.extension), os.path.join(folder, "out.el")
    task = form.write(subject, path)
    if task is None:
        return False
    command = [weft, "convert", path, out, "-t", str(subject.threads), *task.flags]
    command += ["--duplicates", "keep"] if subject.multi and not form.once else []
    try:
        run(command)
        got = plain_of(out)
    except (Mismatch, ValueError) as problem:
        raise Mismatch(f"{problem}\ncommand: {' '.join(command[1:])}\n{shown(path)}") from None
    if not any(got == want for want in task.meanings):
        raise Mismatch(f"{task.meanings[0].difference(got)}\ncommand: {' '.join(command[1:])}\n{shown(path)}")
    return True


def check_output(weft, form, subject, folder):
    """weft writes, NetworkX reads."""
    if not form.takes(subject):
        return False
    path, out = os.path.join(folder, "in.el"), os.path.join(folder, "out." + form.extension)
    subject.save(path)
    command = [weft, "convert", path, out, "--format", "edgelist", "--to", form.format, "-t", str(subject.threads)]
    command += ["--duplicates", "keep"] if subject.multi else []
    run(command)
    try:
        got, want = form.read(subject, out)
    except Exception as problem:
        raise Mismatch(f"NetworkX cannot read it: {problem!r}\ncommand: {' '.join(command[1:])}\n{shown(out)}") from None
    if got != want:
        raise Mismatch(f"{want.difference(got)}\ncommand: {' '.join(command[1:])}\n{shown(out)}")
    return True


def shown(path):
    with open(path, "rb") as f:
        head = f.read(1200)
    try:
        return "the file:\n" + head.decode()
    except UnicodeDecodeError:
        return f"the file: {head[:300]!r}"


def compare(task):
    """(comparisons by form, what differs) of one graph."""
    weft, index, inputs, outputs = task
    counts, problems = Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(index)
        forms = [(check_input, INPUTS[name]) for name in inputs] + [(check_output, OUTPUTS[name]) for name in outputs]
        for check, form in forms:
            try:
                counts[form.name] += check(weft, form, subject, folder)
            except Mismatch as mismatch:
                problems.append(f"{form.name} on {subject.title()}\n{mismatch}")
            except Exception:
                problems.append(f"{form.name} on {subject.title()}\n{traceback.format_exc()}")
    return counts, problems


def abilities_of(weft):
    """{"gml": "read, write", ...} from `weft help formats`."""
    text = subprocess.run([weft, "help", "formats"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(re.findall(r"^  (\w+) +(read, write|read|write)\b", text, re.M))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--graphs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--form")
    parser.add_argument("--all", action="store_true", help="a format that weft lacks is a failure")
    options = parser.parse_args()

    able = abilities_of(options.weft)
    failed, lacking, chosen = 0, [], ([], [])
    for names, forms, ability in (chosen[0], INPUTS, "read"), (chosen[1], OUTPUTS, "write"):
        for name, form in forms.items():
            if options.form and options.form != name:
                continue
            if ability in able.get(form.format, ""):
                reason = form.missing()
                if reason:
                    print(f"passed over {name}: {reason}")
                else:
                    names.append(name)
            else:
                lacking.append(name)
    if lacking:
        print(f"{'FAILED  ' if options.all else ''}weft does not know yet: {', '.join(lacking)}")
        failed += len(lacking) if options.all else 0
    tasks = [(options.weft, index, *chosen) for index in (range(options.first, options.first + options.graphs) if options.only is None else [options.only])]
    counts, wrong = Counter(), Counter()
    with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
        for compared, problems in pool.imap_unordered(compare, tasks, chunksize=1):
            counts.update(compared)
            failed += len(problems)
            for problem in problems:
                name = problem.split(" on ")[0]
                wrong[name] += 1
                if wrong[name] <= 2:
                    print(f"FAILED  {problem}\n", flush=True)
    for name in chosen[0] + chosen[1]:
        verdict = f", {wrong[name]} wrong" if wrong[name] else ""
        print(f"  {name}: {counts[name]} graphs the same{verdict}")
        if not counts[name] and not wrong[name] and options.only is None and options.graphs >= 100:
            failed += 1
            print(f"FAILED  {name} was compared on no graph")
    print(f"NetworkX {nx.__version__}: {len(tasks)} graphs, {len(chosen[0])} forms read, {len(chosen[1])} written")
    print(f"{sum(counts.values())} passed, {failed} failed, {0 if options.all else len(lacking)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
