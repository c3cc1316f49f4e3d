"""Explanations: what the backend keeps of a graph, what its searches have paid, and what a call would do."""
from __future__ import annotations

import networkx as nx

from . import cost, kept, rent
from .graph import Graph, is_plain, made_of


class Explanation(dict):
    """A dict that prints as sentences."""

    def __str__(self):
        lines = [f"{self['nodes']:,} nodes, {self['arcs']:,} arcs"]
        lines += [f"converted: weights {c['weights']}, {c['bytes']:,} bytes" for c in self["converted"]] or ["not converted"]
        lines.append(f"a conversion is predicted at {self['conversion_ms']:.3g} ms; paid by searches: {self['paid_ms']:.3g} ms; "
                     f"left to NetworkX {self['rented']}, conversions for searches {self['bought']}")
        lines.append(f"all conversions: {self['cache_bytes']:,} of at most {self['cache_limit']:,} bytes")
        if not self["preferred"]:
            lines.append("weft is not preferred: set WEFT_AUTOCONFIG=1, or nx.config.backend_priority")
        if "call" in self:
            call = self["call"]
            lines.append(f"{call['function']}: {call['runs']}{' after a conversion' if call['converts'] else ''}, because {call['why']}")
        return "\n".join(lines)

    __repr__ = __str__


def _networkx(why):
    return {"runs": "networkx", "converts": False, "why": why}


def _call(G, converted, name, args, kwargs):
    from . import can_run, should_run

    can = can_run(name, (G, *args), kwargs)
    if can is not True:
        return _networkx(can)
    if made_of(G) is not None or isinstance(G, Graph):
        return {"runs": "weft", "converts": False, "why": "it has rows already"}
    sizes = cost.SIZES[cost.leads_to(name, (G, *args), kwargs)]
    size = len(G._adj) + sum(map(len, G._adj.values()))
    if converted or len(sizes) == 2 or size < sizes[0]:
        should = should_run(name, (G, *args), kwargs)
        why = "the graph is converted" if converted else "the work is more than converting the graph"
        return {"runs": "weft", "converts": not converted, "why": why} if should is True else _networkx(should)
    search, account = sizes[2], rent.account_of(G) or rent.Account()
    if not account.size:
        account.nodes, account.size = len(G._adj), size
    now = rent.clock()
    pays, price = search.pays(account, (G, *args), kwargs, now)
    if pays and not price:
        why = f"the search is predicted at {search.predicted(account.size, (G, *args), kwargs) / 1e6:.3g} ms"
    else:
        price = rent.conversion(account.size, search.weights)
        why = f"searches have paid {account.paid(now) / 1e6:.3g} of {price / 1e6:.3g} ms"
    return {"runs": "weft", "converts": True, "why": why} if pays else _networkx(why)


def explain(G, function=None, /, *args, **kwargs):
    """Describes what the backend keeps of a graph, and what searches have paid so far (rent.py); given the name of a
    function and the arguments after the graph, also where such a call would run, whether it would convert the graph,
    and why.  Changes nothing.

        print(weftgraph.nx.explain(G, "shortest_path", source, target))
    """
    converted = [graph for graph in kept.entries(G).values() if isinstance(graph, Graph)]
    rows = G if isinstance(G, Graph) else made_of(G)
    nodes, arcs = (len(G), rows.rows.facts[1]) if rows is not None else (len(G), sum(map(len, G._adj.values())))
    account = rent.account_of(G) if is_plain(G) else None
    said = Explanation(
        nodes=nodes, arcs=arcs,
        converted=[{"weights": attribute, "bytes": rows.bytes} for graph in converted for (attribute, _), rows in list(graph._by.items())],
        conversion_ms=rent.conversion(nodes + arcs, False) / 1e6,
        paid_ms=account.paid(rent.clock()) / 1e6 if account else 0.0,
        rented=account.rented if account else 0, bought=account.bought if account else 0,
        cache_bytes=kept.held()[1], cache_limit=kept.limit(), preferred="weft" in nx.config.backend_priority.algos)
    if function is not None:
        if function not in cost.FUNCTIONS:
            raise ValueError(f"{function} is no function of the backend that is given a graph")
        said["call"] = {"function": function, **_call(G, converted, function, args, kwargs)}
    return said
