"""The Nth malloc, realloc or mmap of a command fails (allocations.c), alone or with all that follow.

The program is done, with the bytes of an undisturbed run, or exits with 4, a message and no output; a store has the
batches that were acknowledged.  The one exception is libgomp, which ends the process by itself with a message and
1."""

import os
import pathlib
import subprocess
import sys

import hostile
from commands import commands, compared, outputs
from hostile import PATIENCE, done, graph_of, read, require, strangers, tally

BATCHES = b"+ 5 6\n+ 900 901\n\n+ 7 8\n- 5 6\n"
plain = {}  # of a command without failures: exit code, and the bytes of each output


def prepare():
    compiler = subprocess.run(
        [
            os.environ.get("CC", "cc"),
            "-shared",
            "-fPIC",
            "-O1",
            "-o",
            "shim.so",
            hostile.HERE / "allocations.c",
            "-ldl",
        ]
    )
    if (
        compiler.returncode
        or subprocess.run([hostile.WEFT, "--version"], env=environment(), capture_output=True).returncode
    ):
        print("skipped allocations: no compiler, or a program that takes no other allocator (sanitizers)")
        sys.exit(77)
    done("generate", "rmat", "--scale", "8", "-o", "g.weft", "-q")
    done("convert", "g.weft", "g.txt", "-q")
    done("convert", "g.txt", "u.weft", "--undirected", "-q")
    done("dynamic", "new", "store.weft", "g.txt", "-q", "--duplicates", "drop")
    return commands(["generate rmat --scale 8 -o out.weft"])


def environment(**more):
    return {**os.environ, "LD_PRELOAD": os.path.abspath("shim.so"), **more}


def failing(chance):
    at = chance.randrange(chance.choice((30, 200, 2000)))
    return {"FAIL_AT": str(at), **({"FAIL_ALL": "1"} if chance.random() < 0.4 else {})}


def run(words, how, **more):
    try:
        return subprocess.run(
            [hostile.WEFT, *words], env=environment(**how), capture_output=True, timeout=PATIENCE, **more
        )
    except subprocess.TimeoutExpired:
        raise hostile.Finding(f"{how} weft {' '.join(words)} does not end") from None


def check_code(ended, expected):
    """Was it done?"""
    if ended.returncode == 1 and b"libgomp" in ended.stderr:
        tally["ended by libgomp"] += 1
        return False
    require(ended.returncode in (4, expected), "exits with", ended.returncode, ended.stderr[:200])
    require(ended.returncode != 4 or ended.stderr, "says nothing")
    tally["out of memory" if ended.returncode == 4 else "done"] += 1
    return ended.returncode == expected


def a_command(chance, command, how):
    if (*command,) not in plain:
        code = hostile.weft(*command).returncode
        plain[(*command,)] = code, {path: read(path) for path in compared(command)}
        for path in filter(os.path.exists, outputs(command)):
            hostile.remove(path)
    code, whole = plain[(*command,)]
    was_done = check_code(run([*command, "-t", chance.choice("12")], how), code)
    for path in compared(command):
        now = read(path)
        if was_done or len(outputs(command)) > 1:
            require(now == whole[path] or now is None and not was_done, path, "has other bytes")
        else:
            require(now is None, path, "is", "whole" if now == whole[path] else "partial", "although the run failed")


def a_batch(how):
    """What it acknowledges is there, and at most one batch more."""
    pathlib.Path("out.weft").write_bytes(pathlib.Path("store.weft").read_bytes())
    graphs = [graph_of("out.weft")]
    for batch in BATCHES.split(b"\n\n"):
        done("dynamic", "apply", "out.weft", "-q", input=batch)
        graphs.append(graph_of("out.weft"))
    pathlib.Path("out.weft").write_bytes(pathlib.Path("store.weft").read_bytes())
    ended = run(["dynamic", "apply", "out.weft"], how, input=BATCHES)
    acknowledged = ended.stdout.count(b"batch ")
    there = 2 if check_code(ended, 0) else acknowledged
    require(
        graph_of("out.weft") in graphs[there : acknowledged + 2],
        acknowledged,
        "batches acknowledged; others are there",
    )


def case(chance, every):
    how, command = failing(chance), chance.choice([*every, ["dynamic"]])
    try:
        if command == ["dynamic"]:
            a_batch(how)
        else:
            a_command(chance, command, how)
        left = strangers(
            "shim.so",
            "g.weft",
            "g.txt",
            "u.weft",
            "store.weft",
            "out.weft" if command == ["dynamic"] else "",
            *outputs(command),
        )
        require(not left, "left:", left)
    except hostile.Finding as finding:
        setting = " ".join(f"{key}={value}" for key, value in how.items())
        raise hostile.Finding(f"{setting} weft {' '.join(command)}: {finding}") from None


if __name__ == "__main__":
    hostile.main(__doc__, case, prepare)
