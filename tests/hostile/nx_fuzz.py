"""NetworkX and the backend side by side: WEFT_HOSTILE_CALLS random calls of every function (nx_cases.py).

Values, types, order and the type of an exception are NetworkX's, the graph is as it was, and a second call, which
has the converted graph, answers like the first.  Communities, of which several are right, are partitions that are
not worse.
    nx_fuzz.py [--seed S] [--first N] [--cases N]"""

import argparse
import inspect
import os
import random
import sys
from collections import Counter

import networkx as nx
from nx_cases import CALLED, CHOSEN, PUBLIC, answered, any_graph, arguments, nearness, picture, same

ENOUGH = 25


def call(name, backend, G, seed):
    """With arguments of its own, since iterators can be read once."""
    args, kwargs = arguments(random.Random(seed), name, G)
    return answered(backend, lambda: PUBLIC[name](*args, backend=backend, **kwargs))


def compare(name, G, seed, tally):
    """What is wrong, or None."""
    before, near = picture(G), nearness(name, arguments(random.Random(seed), name, G)[1])
    theirs = call(name, "networkx", G, seed)
    if picture(G) != before:  # reverse(copy=False)
        return None
    for time in ("first", "second"):
        mine = call(name, "weft", G, seed)
        if mine is None:
            tally["declined"] += 1
            return "its argument was changed" if picture(G) != before else None
        if picture(G) != before:
            return "its argument was changed"
        if not same(name, mine, theirs, near):
            return f"the {time} call: {str(mine)[:300]}\n        NetworkX: {str(theirs)[:300]}"
    tally["errors" if theirs[0] == "error" else "answers"] += 1
    return None


def compare_communities(name, G, seed, tally):
    chance = random.Random(seed)
    how = {"resolution": chance.choice([0.5, 1, 2]), "weight": chance.choice(["weight", None]), "seed": 1}
    if "metric" in inspect.signature(getattr(nx.community, name)).parameters:
        how["metric"] = "modularity"  # what Louvain's partition is compared by
    try:
        like = {key: value for key, value in how.items() if key != "metric"}
        theirs = nx.community.louvain_communities(G, backend="networkx", **like)
        worth = nx.community.modularity(G, theirs, how["weight"], how["resolution"], backend="networkx")
    except Exception:
        return None  # no edges, or weights that cannot be added
    try:
        mine = getattr(nx.community, name)(G, backend="weft", **how)
        mine = [*mine][-1] if name.endswith("partitions") else mine
    except (NotImplementedError, nx.NetworkXException):
        tally["declined"] += 1
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    tally["communities"] += 1
    if type(mine) is not list or not nx.community.is_partition(G, mine):
        return f"no partition: {mine}"
    mine_worth = nx.community.modularity(G, mine, how["weight"], how["resolution"], backend="networkx")
    return f"modularity {mine_worth}, and {worth} of NetworkX" if mine_worth < worth - 0.1 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cases", type=int, default=int(os.environ.get("WEFT_HOSTILE_CALLS", 2000)))
    asked = parser.parse_args()
    tally, found = Counter(), Counter()
    for number in range(asked.first, asked.first + asked.cases):
        seed = f"{asked.seed} {number}"
        chance = random.Random(seed)
        G, what = any_graph(chance)
        name = chance.choice(CALLED * 2 + [*sorted(CHOSEN)])
        wrong = (compare_communities if name in CHOSEN else compare)(name, G, seed, tally)
        if wrong:
            found[name] += 1
            args, kwargs = arguments(random.Random(seed), name, G)
            print(f"FAILED  case {number}: {name}({', '.join(map(repr, args[1:]))}, {kwargs}) of {what}: {wrong}")
            print(f"        again: nx_fuzz.py --seed {asked.seed} --first {number} --cases 1", flush=True)
        if found.total() == ENOUGH:
            break
    calls = number + 1 - asked.first
    print(f"nx_fuzz: NetworkX {nx.__version__}, {calls} calls, {found.total()} findings", dict(found), dict(tally))
    sys.exit(found.total() > 0)


if __name__ == "__main__":
    main()
