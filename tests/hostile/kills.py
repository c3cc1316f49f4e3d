"""Stores of `weft dynamic` under kill -9 at random moments of apply and compact, beside a model of the graph.

What was acknowledged is never lost, no batch is there in part, and what is there in the end is the graph that the
batches describe: the same answers as of a file that was never a store."""

import json
import os
import subprocess
import threading
import time

import hostile
from hostile import done, graph_of, require, strangers, tally, weft

ALGORITHMS = [
    "degree",
    "components",
    "kcore",
    "pagerank",
    "triangles",
    "clustering",
    "leiden",
    "hits",
    "labelprop",
    "closeness",
]
MOMENTS = [0.02, 0.08, 0.3]


class Model:
    """A graph and what a batch does to it."""

    def __init__(self, directed, weighted, named):
        self.directed, self.weighted, self.named = directed, weighted, named
        self.vertices, self.edges = set(), {}

    def copy(self):
        other = Model(self.directed, self.weighted, self.named)
        other.vertices, other.edges = set(self.vertices), dict(self.edges)
        return other

    def key(self, u, v):
        return (u, v) if self.directed or u <= v else (v, u)

    def change(self, sign, u, v, weight):
        if sign == "+":
            self.edges[self.key(u, v)] = weight
            self.vertices |= {u, v}
        elif sign == "-":
            self.edges.pop(self.key(u, v), None)
        elif sign == "=" and self.key(u, v) in self.edges:
            self.edges[self.key(u, v)] = weight
        elif sign == "+v":
            self.vertices.add(u)
        elif sign == "-v":
            self.vertices.discard(u)
            self.edges = {ends: w for ends, w in self.edges.items() if u not in ends}

    def batch(self, chance, changes):
        """Random changes, which it makes; their text."""
        lines, ids = [], chance.choice((6, 30, 300))
        for _ in range(changes):
            sign = chance.choice(["+"] * 6 + ["-"] * 3 + ["+v", "-v"] + (["=", "="] if self.weighted else []))
            u, v = (f"n{i}é" if self.named else i for i in (chance.randrange(ids), chance.randrange(ids)))
            weight = chance.randrange(1000) if self.weighted else None
            self.change(sign, u, v, weight)
            ends = [u] if sign.endswith("v") else [u, v, weight] if self.weighted and sign != "-" else [u, v]
            lines.append(" ".join(map(str, [sign, *ends])))
        return "\n".join(lines) + "\n\n"

    def is_in(self, graph):
        edges = {self.key(link["source"], link["target"]): link.get("weight") for link in graph["links"]}
        return {node["id"] for node in graph["nodes"]} == self.vertices and edges == self.edges

    def write(self, path):
        links = [
            {"source": u, "target": v, **({"weight": w} if self.weighted else {})} for (u, v), w in self.edges.items()
        ]
        with open(path, "w") as file:
            json.dump(
                {
                    "directed": self.directed,
                    "multigraph": False,
                    "nodes": [{"id": v} for v in sorted(self.vertices)],
                    "links": links,
                },
                file,
            )


def feed(pipe, text, pieces):
    """In small pieces, so that the program waits for more when it is killed."""
    try:
        for at in range(0, len(text), pieces):
            pipe.write(text[at : at + pieces])
            pipe.flush()
            time.sleep(0.0005)
        pipe.close()
    except OSError:
        pass


def kill(process, moment):
    """Returns whether it was still there."""
    time.sleep(moment)
    alive = process.poll() is None
    process.kill()
    process.wait()
    tally["kills"] += alive
    return alive


def apply_and_kill(chance, text):
    """How many batches were acknowledged."""
    with open("acknowledged", "wb") as out, open("errors", "wb") as err:
        words = [hostile.WEFT, "dynamic", "apply", "g.weft", *chance.choice(([], ["--durable", "never"]))]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out, stderr=err, bufsize=0)
        feeder = threading.Thread(
            target=feed, args=(process.stdin, text.encode(), chance.choice((100, 2000, len(text) + 1)))
        )
        feeder.start()
        kill(process, chance.random() * chance.choice(MOMENTS))
        feeder.join()
    whole = hostile.read("acknowledged").split(b"\n")[:-1]
    return sum(line.startswith(b"batch ") for line in whole)


def check(model):
    graph = graph_of("g.weft")
    require(graph is not None, "the store is refused after a kill")
    require(model.is_in(graph), "the store is another graph")


def some_batches(chance, model, before):
    """One run of apply that is killed; the model of what is there, and the number of the last batch."""
    models, text = [model], ""
    for _ in range(chance.randrange(3, 40)):
        models.append(models[-1].copy())
        text += models[-1].batch(chance, chance.choice((1, 1, 3, 20, 200)))
    acknowledged = apply_and_kill(chance, text)
    batch = json.loads(done("dynamic", "info", "g.weft", "--json"))["batch"]
    tally["batches"] += len(models) - 1
    tally["acknowledged"] += acknowledged
    require(
        acknowledged <= batch - before < len(models), f"{acknowledged} batches acknowledged, {batch - before} there"
    )
    check(models[batch - before])
    return models[batch - before], batch


def same_answers(chance, model):
    model.write("model.json")
    for algorithm in chance.sample(ALGORITHMS, 3):
        store, static = (weft(algorithm, graph, "-q", "-o", "-") for graph in ("g.weft", "model.json"))
        require(
            store.returncode == static.returncode and store.stdout == static.stdout,
            algorithm,
            "of the store and of a file differ",
        )
        tally["answers"] += 1


def case(chance, _):
    model = Model(*(chance.random() < p for p in (0.5, 0.5, 0.3)))
    kind = ["--directed" if model.directed else "--undirected", "--ids", "string" if model.named else "integer"]
    done("dynamic", "new", "g.weft", *kind, *(["--weight-type", "u32"] if model.weighted else []), "-q")
    batch = 0
    for _ in range(chance.randrange(2, 7)):
        model, batch = some_batches(chance, model, batch)
        if chance.random() < 0.4:
            with open("errors", "wb") as err:
                process = subprocess.Popen([hostile.WEFT, "dynamic", "compact", "g.weft", "-q"], stderr=err)
                tally["compactions killed"] += kill(process, chance.random() * chance.choice((0.01, 0.05)))
            check(model)
    done("dynamic", "apply", "g.weft", "-q", input=model.batch(chance, 5).encode())
    done("dynamic", "compact", "g.weft", "-q")
    left = strangers("g.weft", "acknowledged", "errors")
    require(not left, "left beside the store:", left)
    check(model)
    same_answers(chance, model)


if __name__ == "__main__":
    hostile.main(__doc__, case)
