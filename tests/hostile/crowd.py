"""Several writers, readers, a compaction now and then and a follower on one store at the same time, for some seconds a
case.

A reader sees every batch that was acknowledged before it began, and nothing that nobody wrote."""

import os
import signal
import subprocess
import threading
import time

import hostile
from hostile import PATIENCE, done, require, strangers, tally, weft

SECONDS = float(os.environ.get("WEFT_HOSTILE_CROWD", 3))
BUSY = (b"writing", b"replaced")  # what a writer may be refused for


class Crowd:
    def __init__(self):
        self.lock, self.sent, self.acknowledged, self.faults = threading.Lock(), set(), set(), []
        self.end = time.monotonic() + SECONDS

    def member(self, turn, *args):
        """A thread that takes turns until the end, or a fault."""

        def run():
            try:
                number = 0
                while time.monotonic() < self.end and not self.faults:
                    turn(number, *args)
                    number += 1
            except Exception as fault:
                self.faults.append(fault)

        return threading.Thread(target=run)

    def write(self, number, writer, chance):
        base = writer * 1_000_000 + number * 10
        edges = [(base + i, base + i + 1) for i in range(chance.randrange(1, 6))]
        with self.lock:
            self.sent.update(edges)
        wait = ["--wait", "3"] if writer % 2 else []
        run = weft("dynamic", "apply", "g.weft", *wait, input="".join(f"+ {u} {v}\n\n" for u, v in edges).encode())
        require(run.returncode in (0, 3), "apply exits with", run.returncode, run.stderr[:200])
        require(run.returncode == 0 or any(why in run.stderr for why in BUSY), "apply is refused:", run.stderr[:200])
        count = run.stdout.count(b"batch ")
        require(run.returncode or count == len(edges), f"{count} of {len(edges)} batches were acknowledged")
        with self.lock:
            self.acknowledged.update(edges[:count])

    def read(self, number, reader=0):
        with self.lock:
            before = set(self.acknowledged)
        done("dynamic", "snapshot", "g.weft", "-o", f"now{reader}.tsv", "--to", "edgelist", "-q")
        edges = {tuple(map(int, line.split())) for line in open(f"now{reader}.tsv") if line[0] != "#"}
        os.unlink(f"now{reader}.tsv")
        require(before <= edges, len(before - edges), "acknowledged batches are lost")
        with self.lock:
            require(edges <= self.sent, len(edges - self.sent), "edges that nobody wrote")
        tally["readings"] += 1

    def compact(self, number):
        run = weft("dynamic", "compact", "g.weft", "-q")
        require(
            run.returncode == 0 or (run.returncode == 3 and any(why in run.stderr for why in BUSY)),
            "compact:",
            run.returncode,
            run.stderr[:200],
        )
        tally["compactions"] += run.returncode == 0
        time.sleep(0.1)


def case(chance, _):
    done("dynamic", "new", "g.weft", "--directed", "-q")
    crowd = Crowd()
    with open("followed", "wb") as out, open("errors", "wb") as err:
        follower = subprocess.Popen(
            [hostile.WEFT, "dynamic", "watch", "g.weft", "--run", "components", "--json", "-q"], stdout=out, stderr=err
        )
    members = [crowd.member(crowd.write, writer, chance) for writer in range(3)]
    members += [crowd.member(crowd.read, reader) for reader in (1, 2)] + [crowd.member(crowd.compact)]
    for member in members:
        member.start()
    for member in members:
        member.join()
    follower.send_signal(signal.SIGINT)
    try:
        ended = follower.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        follower.kill()
        ended = follower.wait()
    if crowd.faults:
        raise crowd.faults[0]
    require(ended == 130, "the follower ended with", ended, hostile.read("errors")[:200])
    require(hostile.read("followed").startswith(b"{"), "the follower said nothing")
    crowd.read(0)
    tally["acknowledged"] += len(crowd.acknowledged)
    left = strangers("g.weft", "followed", "errors")
    require(not left, "left:", left)


if __name__ == "__main__":
    hostile.main(__doc__, case)
