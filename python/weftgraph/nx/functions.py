"""The functions that weftgraph_networkx lists, and where their arguments stand."""
from __future__ import annotations

from importlib import import_module
from inspect import signature

from weftgraph_networkx import MODULES

ALL = {name: getattr(import_module(f".{module}", __package__), name) for module, names in MODULES.items()
       for name in names.split()}
_PARAMETERS = {name: list(enumerate(signature(function).parameters.values())) for name, function in ALL.items()}


def optional(name, *wanted):
    """[(place, argument)]: those of the arguments that the function has, with a default."""
    return [(place, p.name) for place, p in _PARAMETERS[name] if p.name in wanted and p.default is not p.empty]
