"""What bench/lab_table.py refuses, and in which words: pages it would spoil, files that are not the lab's, outputs that end."""

import json
import os
import subprocess
import sys

from made_up_run import bfs, bfs_said, book, files, page, profile

SCRIPT = os.path.join(sys.argv[1], "bench/lab_table.py")


def run(folder, *words):
    command = [sys.executable, "-IS", SCRIPT, *words, *sorted(files)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")


def refusals(folder, path):
    """What cannot be filled is said in a sentence, and the page stays as it is."""
    wrong = []
    for mark in ("nobody", "kahn tri10", "table kahn", "rungs", "sizes kahn 7", ""):
        content = page.replace("kahn -->", f"{mark} -->", 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        ran = run(folder, "--into", "page.md")
        with open(path, encoding="utf-8") as file:
            if ran.returncode != 1 or f"what is '{mark}'?" not in ran.stderr or file.read() != content:
                wrong.append(f"--into takes the mark '{mark}': {ran.stderr}")
    for words in (["sweep.json", "--into"], ["--into", "page.md"], ["--into", "--documents", "sweep.json"]):
        ran = subprocess.run([sys.executable, "-IS", SCRIPT, *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
        if ran.returncode != 1 or "which files?" not in ran.stderr:
            wrong.append(f"{words}: {ran.stderr}")
    return wrong + losses(folder, path) + bad_files(folder)


def into(folder, path, content, *words):
    """What --into says, ends with and leaves."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    ran = subprocess.run([sys.executable, "-IS", SCRIPT, "--into", "page.md", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    with open(path, encoding="utf-8") as file:
        return ran.stderr, ran.returncode, file.read()


def losses(folder, path):
    """Words by hand are never lost, numbers only where that is asked for."""
    wrong = []
    for content in (page.replace("<!-- lab: end -->\n", "", 1), page + "<!-- lab: break-even -->\nby hand\n", page + "<!-- lab: end -->\n"):
        said, code, left = into(folder, path, content, *sorted(files))
        if code != 1 or "stands alone" not in said or left != content:
            wrong.append(f"--into takes a mark that stands alone: {said}")
    full = into(folder, path, page, *sorted(files))[2]
    if into(folder, path, full, *sorted(files)) != ("", 0, full):
        wrong.append("--into changes a page that was filled from the same files")
    for words, code, says in ((["bfs.json"], 1, "would lose a number"), (["--fewer", "bfs.json"], 0, ""), (["dense@tri10.csv"], 1, "needs a FILE.json")):
        said, ended, left = into(folder, path, full, *words)
        if ended != code or says not in said or (left == full) != bool(code):
            wrong.append(f"--into {words} on a page with numbers ends with {ended}: {said}")
    return wrong


def bad_files(folder):
    """A sentence for each, and no traceback."""
    good = book(bfs, sweeps=[bfs_said])
    spoilt = [None, [], {}, {"tables": [], "provenance": {}}, dict(good, provenance={}), dict(good, sweeps=None), dict(good, tables=[{}])]
    spoilt += [dict(good, tables=[dict(bfs[0], rows=[dict(bfs[0]["rows"][0], **change)])]) for change in ({"run_ms": None}, {"runs": None}, {"message": 7})]
    contents = {f"bad{i}.json": json.dumps(content) for i, content in enumerate(spoilt)}
    contents.update({"bad.csv": "garbage\n", "empty.csv": profile()})
    wrong = []
    for name, content in contents.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
        ran = subprocess.run([sys.executable, "-IS", SCRIPT, name], cwd=folder, capture_output=True, text=True, encoding="utf-8")
        if ran.returncode != 1 or not ran.stderr.startswith("lab_table: ") or ran.stderr.count("\n") != 1:
            wrong.append(f"{content[:90]}: {ran.stderr}")
    ran = subprocess.run([sys.executable, "-IS", SCRIPT, "--help"], capture_output=True, text=True, encoding="utf-8")
    if ran.returncode or "--into PAGE.md" not in ran.stdout:
        wrong.append(f"--help ends with {ran.returncode}: {ran.stderr}")
    return wrong + closed_outputs(folder)


def closed_outputs(folder):
    """A reader that goes away is no error worth a word; a full disk is one."""
    wrong, command = [], [sys.executable, "-IS", SCRIPT, "bfs.json"]
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(command, cwd=folder, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    if ran.stderr:
        wrong.append(f"without a reader it says {ran.stderr}")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ran = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
        if ran.returncode != 1 or not ran.stderr.startswith("lab_table: standard output: "):
            wrong.append(f"on a full disk it ends with {ran.returncode}: {ran.stderr}")
    return wrong
