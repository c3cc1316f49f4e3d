"""A pytest plugin for NetworkX's own tests with the backend (pytest -p networkx_guard):
- while a function of the backend runs, NetworkX's implementation of none of them may be called: it raises;
- a function that no test dispatched to the backend is named at the end, and with WEFT_ALL_DISPATCHED=1 fails the run."""
import functools
import inspect
import os

import networkx as nx
from networkx.utils.backends import _registered_algorithms

import weftgraph.nx as backend
from weftgraph_networkx import FUNCTIONS

inside = 0
answered = dict.fromkeys(FUNCTIONS, 0)


class QuietlyCalled(BaseException):
    """Not an Exception, so that nobody catches it by accident."""


def enter(function, *args, **kwargs):
    global inside
    inside += 1
    try:
        return function(*args, **kwargs)
    finally:
        inside -= 1


def guarded_iteration(name, generator):
    answered[name] += 1
    while True:
        try:
            item = enter(next, generator)
        except StopIteration:
            return
        yield item


def guarded(name, function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = enter(function, *args, **kwargs)
        if inspect.isgenerator(result):
            return guarded_iteration(name, result)
        answered[name] += 1
        return result

    return wrapper


def forbidden(name, function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if inside:
            raise QuietlyCalled(f"the backend called NetworkX's {name}")
        return function(*args, **kwargs)

    return wrapper


def pytest_configure(config):
    for name in FUNCTIONS:
        setattr(backend, name, guarded(name, getattr(backend, name)))
        function = _registered_algorithms[name]
        dispatchable = getattr(function, "__wrapped__", function)  # the function only has copies of its attributes
        dispatchable.orig_func = forbidden(name, dispatchable.orig_func)


def pytest_terminal_summary(terminalreporter):
    never = sorted(name for name, count in answered.items() if not count)
    terminalreporter.write_line(f"weft: {sum(answered.values())} calls answered by {len(FUNCTIONS) - len(never)} of {len(FUNCTIONS)} functions")
    for name in never:
        terminalreporter.write_line(f"weft: no test had its answer from {name}")


def pytest_sessionfinish(session, exitstatus):
    if exitstatus == 0 and os.environ.get("WEFT_ALL_DISPATCHED") and not all(answered.values()):
        session.exitstatus = 1
