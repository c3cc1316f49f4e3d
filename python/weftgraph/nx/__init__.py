"""The NetworkX backend `weft`: this module is the interface that NetworkX loads.

    nx.pagerank(G, backend="weft")
    NETWORKX_BACKEND_PRIORITY=weft python script.py   (or WEFT_AUTOCONFIG=1)

A function answers exactly as NetworkX's does, in values, order, types and errors; other calls stay with NetworkX
(conditions.py gives the reasons).
"""
from .. import _weft
from . import conditions, cost, functions
from .explain import explain
from .graph import EXACT, Graph, convert_from_nx, convert_to_nx
from .testing import on_start_tests

globals().update(functions.ALL)
can_run, should_run = _weft.nx_gates(conditions.free(), conditions.can_run, cost.SIZES, cost.sizes_of, tuple(EXACT), Graph)
