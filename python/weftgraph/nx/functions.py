"""The functions listed by weftgraph_networkx, the positions of their arguments, and the functions that the installed
NetworkX has changed."""
from __future__ import annotations

from importlib import import_module
from inspect import signature

from networkx.utils.backends import _registered_algorithms

from weftgraph_networkx import MODULES

ALL = {name: getattr(import_module(f".{module}", __package__), name) for module, names in MODULES.items()
       for name in names.split()}
_PARAMETERS = {name: list(enumerate(signature(function).parameters.values())) for name, function in ALL.items()}


def optional(name, *wanted):
    """[(position, argument)] for the wanted arguments that the function has, with a default."""
    return [(place, p.name) for place, p in _PARAMETERS[name] if p.name in wanted and p.default is not p.empty]


def difference(theirs, mine):
    """The first difference that matters between two signatures, NetworkX's and the backend's, as a sentence; None
    without one. NetworkX passes all arguments, also those left at their defaults: even the default of an unknown
    argument would be an error, and could mean another answer."""
    known = {p.name: (place, p) for place, p in enumerate(mine.parameters.values())}
    for place, p in enumerate(theirs.parameters.values()):
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.name not in known:
            return f"the argument {p.name} is not known to this version of weftgraph"
        at, own = known[p.name]
        if p.kind is not p.KEYWORD_ONLY and (at != place or own.kind is own.KEYWORD_ONLY):
            return f"the argument {p.name} stands in another place than this version of weftgraph knows"
        plain = type(p.default) in (int, float, bool, str)
        if p.default is not own.default and not (plain and p.default == own.default):
            return f"the argument {p.name} has another default than this version of weftgraph knows"
    return None


_THEIRS = {name: signature(_registered_algorithms[name].orig_func) for name in ALL if name in _registered_algorithms}
CHANGED = {name: why for name, theirs in _THEIRS.items() if (why := difference(theirs, signature(ALL[name])))}
"""{name: reason}: functions that are left to this NetworkX entirely."""


def strange(name, kwargs):
    """A keyword argument that NetworkX's function does not have, which NetworkX takes for one of the backend's own;
    None if there is none."""
    return next((given for given in kwargs if name in _THEIRS and given not in _THEIRS[name].parameters), None)
