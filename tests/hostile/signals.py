"""SIGINT, SIGTERM, SIGHUP, stops and --timeout at random moments of all commands, with readers of standard output that
read, leave, or stall.

The program ends soon, done or with 130 (124).  No partial or temporary file is there, and an output that was there
before is as it was or whole."""

import os
import signal
import subprocess
import time

import hostile
from commands import commands, compared, outputs
from hostile import PATIENCE, done, read, require, strangers, tally

SCALE = os.environ.get("WEFT_HOSTILE_SCALE", "14")
OLD = b"what was here before\n"
MADE = [
    f"generate rmat --scale {SCALE} -o out.weft",
    f"generate rmat --scale {SCALE} -o out.txt",
    f"generate rmat --scale {SCALE} -o - --to csv",
]
READERS = ["nowhere", "nowhere", "all", "leaves", "stalls", "stalls"]
whole = {}  # what a command writes: its bytes
plain = {}  # what a command that nobody stops exits with


def prepare():
    done("generate", "rmat", "--scale", SCALE, "-o", "g.weft", "-q")
    done("convert", "g.weft", "g.txt", "-q")
    done("convert", "g.txt", "u.weft", "--undirected", "-q")
    return commands(MADE)


def full_pipe():
    """A pipe that takes no further byte."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    try:
        while True:
            os.write(into, bytes(4096))
    except BlockingIOError:
        os.set_blocking(into, True)
    return out, into


def start(command, reader):
    """The process, and a file descriptor to be closed after it, or None."""
    with open("errors", "wb") as err:
        if reader == "stalls":
            out, into = full_pipe()
            process = subprocess.Popen([hostile.WEFT, *command], stdin=subprocess.DEVNULL, stdout=into, stderr=err)
            os.close(into)
            return process, out
        out = subprocess.PIPE if reader == "leaves" else open("said", "wb") if reader == "all" else subprocess.DEVNULL
        process = subprocess.Popen([hostile.WEFT, *command], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        if reader == "leaves":
            process.stdout.close()
    return process, None


def catches(process, which):
    """Has the program set its handlers?"""
    try:
        fields = dict(line.split(":\t") for line in open(f"/proc/{process.pid}/status") if ":\t" in line)
    except OSError:
        return False
    return bool(int(fields.get("SigCgt", "0"), 16) >> (which - 1) & 1)


def interrupt(chance, process):
    """Sends a signal; returns the exit codes that may follow."""
    which = chance.choice(hostile.SIGNALS)
    if chance.random() < 0.2:
        for _ in range(3):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.02)
            process.send_signal(signal.SIGCONT)
    caught = catches(process, which)
    process.send_signal(which)
    return {130} if caught else {130, -which}


def ends(process):
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def put(path, content):
    """The file has this content; None: there is no such file."""
    if content is not None:
        open(path, "wb").write(content)
    elif os.path.exists(path):
        os.remove(path)


def undisturbed(command, before):
    """The exit code of a command that nobody stops, with `before` in its outputs; what these hold then is in `whole`."""
    if (*command, before) not in plain:
        kept = {path: read(path) for path in compared(command)}
        for path in kept:
            put(path, before)
        plain[*command, before] = hostile.weft(*command, "-q").returncode
        for path, content in kept.items():
            whole[*command, before, path] = read(path)
            put(path, content)
    return plain[*command, before]


def check_files(command, code, before):
    left = strangers("g.weft", "g.txt", "u.weft", "errors", "said", *outputs(command))
    require(not left, "left:", left)
    for path in compared(command):
        now = read(path)
        if now == before and code not in (0, 1):
            continue
        undisturbed(command, before)
        require(now == whole[*command, before, path], path, "is partial")
        require(code in (0, 1) or len(outputs(command)) > 1, path, "is whole")


def case(chance, every):
    command = [*chance.choice(every)]
    reader, by_signal = chance.choice(READERS), chance.random() < 0.75
    before = OLD if chance.random() < 0.4 else None
    if before:
        for path in compared(command):
            put(path, before)
    words = [*command, "-t", chance.choice("128"), "-q"]
    moment = chance.random() * chance.choice((0.02, 0.2, 1))
    process, pipe = start(words if by_signal else [*words, "--timeout", f"{moment:.3f}"], reader)
    allowed = {0, 1, 124}
    if by_signal:
        time.sleep(moment)
        tally["interrupted"] += process.poll() is None
        allowed = {0, 1, 75} | interrupt(chance, process)
    if reader == "leaves":
        allowed |= {3, -signal.SIGPIPE}
    code = ends(process)
    if pipe is not None:
        os.close(pipe)
    how = f"weft {' '.join(words)} ({reader}, {'a signal' if by_signal else '--timeout'} at {moment:.3f} s)"
    require(code is not None, how, "does not end")
    if code in (2, 3) and code == undisturbed(command, before):
        tally["refused"] += 1
        return
    require(code in allowed, how, "exits with", code, (read("errors") or b"")[:200])
    tally["stopped"] += code in (75, 124, 130)
    try:
        check_files(command, code, before)
    except hostile.Finding as finding:
        raise hostile.Finding(f"{how} exits with {code}: {finding}") from None


if __name__ == "__main__":
    hostile.main(__doc__, case, prepare)
