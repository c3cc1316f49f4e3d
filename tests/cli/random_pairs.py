"""weft compare and weft merge against Python's sets: random_pairs.py WEFT COUNT [FIRST]
COUNT pairs of random graphs: numbers or names as ids, directed or not, with weights or without, parallel edges, loops,
isolated vertices, equal ones.  Each is written as two files; what `compare --json` and `merge` (its three modes, and
the rules of --duplicates) say is what counters of edges say.  Prints what differs, with the seed."""
import json
import random
import subprocess
import sys
from collections import Counter

weft, count, *first = sys.argv[1:]
MODES = ("union", "intersection", "difference")
RULES = {"sum": sum, "min": min, "max": max, "count": len, "mean": lambda w: sum(w) / len(w), "keep": None}


def ascending(weights):
    return sorted(weights, key=lambda w: 0 if w is None else w)


class Side:
    """A graph as a Counter of (source, target, weight or None), and its vertices."""

    def __init__(self, dice, kind, base=None):
        self.kind, self.vertices, self.edges = kind, set(), Counter()
        if base is not None:  # some edges of the other graph, weights of which may be others
            self.vertices |= {v for v in base.vertices if dice.random() < 0.9}
            for (u, v, w), times in base.edges.items():
                if dice.random() < 0.8:
                    self.add(u, v, w if dice.random() < 0.7 else self.weight(dice), times)
        ids = [self.name(dice) for _ in range(dice.randint(1, 12))]
        for _ in range(dice.choice((0, 0, 3, 20))):
            self.add(dice.choice(ids), dice.choice(ids), self.weight(dice), dice.choice((1, 1, 1, 2, 3)))
        self.vertices |= set(dice.sample(ids, dice.randint(0, 2) if len(ids) > 1 else 0))

    def name(self, dice):
        n = dice.randint(0, 14) * (dice.choice((1, 10**12)) if self.kind["wide"] else 1)
        return f"v {n}" if self.kind["names"] else n

    def weight(self, dice):
        return dice.choice((1, 2, 3, 0.5, 2.25)) if self.kind["weights"] else None

    def add(self, u, v, w, times):
        self.vertices |= {u, v}
        if not self.kind["directed"] and v < u:
            u, v = v, u
        self.edges[u, v, w] += times if self.kind["parallel"] else 1
        if not self.kind["parallel"]:
            for other in [e for e in self.edges if e[:2] == (u, v) and e[2] != w]:
                del self.edges[other]
            self.edges[u, v, w] = 1

    def write(self, name):
        """As node-link JSON, which has isolated vertices and says whether edges have a direction."""
        links = [{"source": u, "target": v} | ({} if w is None else {"weight": w}) for u, v, w in self.edges.elements()]
        document = {"directed": self.kind["directed"], "multigraph": True, "links": links,
                    "nodes": [{"id": v} for v in sorted(self.vertices)]}
        with open(f"{name}.json", "w") as f:
            json.dump(document, f)
        return f"{name}.json"

    def pairs(self):
        """{(u, v): its weights, ascending}"""
        found = {}
        for (u, v, w), times in self.edges.items():
            found.setdefault((u, v), []).extend([w] * times)
        return {pair: ascending(w) for pair, w in found.items()}


def run(*words):
    done = subprocess.run([weft, *words, "-q"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def changes(a, b, weights):
    """(removed, added, changed): Counters of edges."""
    removed, added, changed = Counter(), Counter(), Counter()
    x, y = a.pairs(), b.pairs()
    for pair in x.keys() | y.keys():
        p, q = x.get(pair, []), y.get(pair, [])
        if weights:
            common = Counter(p) & Counter(q)
            p, q = sorted((Counter(p) - common).elements()), sorted((Counter(q) - common).elements())
            both = min(len(p), len(q))
            changed.update((*pair, before, after) for before, after in zip(p[:both], q[:both]))
        else:
            both = min(len(p), len(q))
        removed.update((*pair, w) for w in p[both:])
        added.update((*pair, w) for w in q[both:])
    return removed, added, changed


def ordered(directed, edge):
    u, v, *rest = edge
    return (u, v, *rest) if directed or u <= v else (v, u, *rest)


def check_compare(a, b, files, complain):
    code, text, error = run("compare", *files, "--duplicates", "keep", "--json")
    if code not in (0, 1):
        return complain(f"compare: exit code {code}: {error}")
    said, directed = json.loads(text), a.kind["directed"]
    removed, added, changed = changes(a, b, a.kind["weights"])
    want = {"vertices_removed": sorted(a.vertices - b.vertices), "vertices_added": sorted(b.vertices - a.vertices)}
    got = {name: said[name] for name in want}
    for name, edges, values in (("edges_removed", removed, ["weight"]), ("edges_added", added, ["weight"]),
                                ("weights_changed", changed, ["before", "after"])):
        want[name] = {ordered(directed, e): times for e, times in edges.items()}
        got[name] = dict(Counter(tuple(row.get(c) for c in ("source", "target", *values)) for row in said[name]))
    same = a.vertices == b.vertices and a.edges == b.edges
    want.update(equal=same, code=0 if same else 1)
    got.update(equal=said["equal"], code=code)
    for name in want:
        if want[name] != got[name]:
            complain(f"compare: {name} is {got[name]}, expected {want[name]}")


def merged(sides, mode, rule):
    """(vertices, {pair: weights}); None: weights differ, and there is no rule."""
    pairs = [side.pairs() for side in sides]
    vertices, keys = set(sides[0].vertices), set(pairs[0])
    for side, p in zip(sides[1:], pairs[1:]):
        if mode == "union":
            vertices, keys = vertices | side.vertices, keys | p.keys()
        elif mode == "intersection":
            vertices, keys = vertices & side.vertices, keys & p.keys()
        else:
            keys -= p.keys()
    edges = {}
    for key in keys:
        weights = [w for p in (pairs[:1] if mode == "difference" else pairs) for w in p.get(key, [])]
        if rule is None and len(set(weights)) > 1:
            return None
        if rule == "count":
            weights = [len(weights)]
        elif weights[0] is None:
            weights = weights if rule == "keep" else [None]
        elif rule != "keep":
            weights = [RULES[rule](weights) if rule else weights[0]]
        edges[key] = ascending(weights)
    return vertices, edges


def check_merge(sides, files, mode, rule, complain):
    words = ("merge", *files, "--mode", mode, *(("--duplicates", rule) if rule else ()))
    code, text, error = run(*words, "-o", "-", "--to", "json")
    givers = sides[:1] if mode == "difference" else sides
    needs_rule = any(len(set(w)) > 1 for side in givers for w in side.pairs().values())  # a file by itself
    want = merged(sides, mode, rule) if rule or not needs_rule else None
    if want is None:
        if code not in (2, 3) or "different weights" not in error:
            complain(f"{' '.join(words)}: exit code {code}, expected to be refused: {error}")
        return
    if code:
        return complain(f"{' '.join(words)}: exit code {code}: {error}")
    said = json.loads(text)
    edges = {}
    for link in said["links"]:
        u, v, w = ordered(sides[0].kind["directed"], (link["source"], link["target"], link.get("weight")))
        edges.setdefault((u, v), []).append(w)
    edges = {pair: ascending(w) for pair, w in edges.items()}
    vertices = {node["id"] for node in said["nodes"]}
    if vertices != want[0]:
        complain(f"{' '.join(words)}: vertices are {sorted(vertices)}, expected {sorted(want[0])}")
    if edges != want[1]:
        complain(f"{' '.join(words)}: edges are {edges}, expected {want[1]}")


wrong = []
for seed in range(int(first[0]) if first else 0, (int(first[0]) if first else 0) + int(count)):
    dice = random.Random(seed)
    kind = {name: dice.random() < 0.5 for name in ("names", "directed", "weights", "parallel", "wide")}
    a = Side(dice, kind)
    b = Side(dice, kind, a if dice.random() < 0.7 else None)
    c = Side(dice, kind, a)
    sides = [a, a if dice.random() < 0.1 else b, c][:dice.choice((2, 2, 3))]
    files = [side.write("abc"[i]) for i, side in enumerate(sides)]

    def complain(text):
        wrong.append(f"seed {seed}, {kind}: {text}")

    check_compare(sides[0], sides[1], files[:2], complain)
    check_merge(sides, files, dice.choice(MODES), dice.choice((None, *RULES)), complain)
    check_merge(sides, files, dice.choice(MODES), dice.choice((None, *RULES)), complain)
print("\n".join(wrong[:10]))
sys.exit(bool(wrong))
