"""Damaged stores: each is refused, or read as the graph that it was; what reading refuses no batch is added to.

The last batch of a writer that was killed may be lost with its bytes, as docs/formats/weft.md says; of a store that
was closed, nothing."""

import os
import pathlib
import subprocess

import hostile
from hostile import done, graph_of, require, strangers, tally, weft

KINDS = [
    ("--directed", True, False),
    ("--undirected", False, False),
    ("--directed", False, True),
    ("--undirected", True, True),
]
PAGE = 4096


class Store:
    """The bytes of a store, and the graphs after each of its batches, the last being the present one."""

    def __init__(self, number, closed):
        self.kind, self.weighted, self.named = KINDS[number]
        self.closed, self.graphs = closed, []
        self.new()
        self.apply()
        self.bytes = pathlib.Path("g.weft").read_bytes()
        os.unlink("g.weft")

    def edge(self, i, j):
        ends = f"v{i} v{j}" if self.named else f"{i} {j}"
        return f"{ends} {(i * j) % 99}" if self.weighted else ends

    def new(self):
        pathlib.Path("edges.txt").write_text("".join(self.edge(i * i % 397, i * 7 % 400) + "\n" for i in range(900)))
        done(
            "dynamic",
            "new",
            "g.weft",
            "edges.txt",
            self.kind,
            "--duplicates",
            "max" if self.weighted else "drop",
            "-q",
        )
        os.unlink("edges.txt")
        self.graphs.append(graph_of("g.weft"))

    def apply(self):
        process = subprocess.Popen(
            [hostile.WEFT, "dynamic", "apply", "g.weft"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for batch in range(6):
            changes = ["+ " + self.edge(batch * 31 + i, i * i % 450) for i in range((1, 5, 60)[batch % 3])]
            process.stdin.write("\n".join([*changes, "-v v7" if self.named else "-v 7"]).encode() + b"\n\n")
            process.stdin.flush()
            process.stdout.readline()
            self.graphs.append(graph_of("g.weft"))
        if not self.closed:
            process.kill()
        process.communicate()

    def may_be(self, graph):
        return graph in self.graphs[-1 if self.closed else -2 :]


def prepare():
    return [Store(number, closed) for number in range(len(KINDS)) for closed in (True, False)]


def damage(chance, data, others):
    """One thing that disks, copies and people do to a file."""
    at = chance.choice(
        [chance.randrange(PAGE), chance.randrange(max(0, len(data) - PAGE), len(data)), chance.randrange(len(data))]
    )
    what = chance.choice(
        ["bits", "bits", "bits", "byte", "zeros", "cut", "tail", "swap", "repeat", "append", "noise", "another"]
    )
    if what == "bits":
        for _ in range(chance.choice((1, 1, 1, 2, 8))):
            data[at] ^= 1 << chance.randrange(8)
            at = chance.randrange(len(data))
    elif what == "byte":
        data[at] = chance.randrange(256)
    elif what == "zeros":
        end = min(len(data), at + chance.choice((8, 64, 512, PAGE)))
        data[at:end] = bytes(end - at)
    elif what in ("cut", "tail"):
        del data[at if what == "cut" else len(data) - chance.randrange(1, 200) :]
    elif what == "swap":
        i, j = (PAGE * chance.randrange(len(data) // PAGE) for _ in range(2))
        data[i : i + PAGE], data[j : j + PAGE] = data[j : j + PAGE], data[i : i + PAGE]
    elif what in ("repeat", "append"):
        data += data[-chance.randrange(1, 400) :] if what == "repeat" else chance.randbytes(chance.randrange(1, 500))
    else:
        other = chance.choice(others).bytes if what == "another" else chance.randbytes(len(data))
        data[at : at + 512] = other[at : at + 512]
    return what


def add_a_batch(store, graph):
    """Where reading refuses, so does a writer; else the batch is there afterwards, and nothing else has changed."""
    change = "+v v901" if store.named else "+v 901"
    run = weft("dynamic", "apply", "damaged.weft", "-q", input=change.encode())
    require(run.returncode in (0, 3), "apply exits with", run.returncode, run.stderr[:200])
    if run.returncode:
        require(run.stderr, "apply says nothing")
        return
    require(graph is not None, "apply accepts what reading refuses")
    wanted = {
        **graph,
        "nodes": sorted([*graph["nodes"], {"id": "v901" if store.named else 901}], key=lambda node: node["id"]),
    }
    require(graph_of("damaged.weft") == wanted, "after another batch the store is another graph")
    tally["applied to"] += 1


def case(chance, stores):
    store = chance.choice(stores)
    data = bytearray(store.bytes)
    what = damage(chance, data, stores)
    pathlib.Path("damaged.weft").write_bytes(data)
    graph = graph_of("damaged.weft")
    tally["refused" if graph is None else "read"] += 1
    if graph is None:
        require(data != store.bytes, "refused without damage")
    else:
        require(store.may_be(graph), f"{what}: another graph is read in silence")
    if chance.random() < 0.2:
        run = weft("degree", "damaged.weft", "-q", "-o", "-")
        require(run.returncode == (0 if graph else 3), "degree exits with", run.returncode)
    if chance.random() < 0.35:
        add_a_batch(store, graph)
    left = strangers("damaged.weft")
    require(not left, "left:", left)


if __name__ == "__main__":
    hostile.main(__doc__, case, prepare)
