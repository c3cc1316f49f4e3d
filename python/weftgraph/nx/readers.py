"""NetworkX's readers of edge lists and adjacency lists, and graphs from lists and arrays.  All make lazy graphs.

Anything unusual (data of several kinds, numbers with underscores, errors) is refused; NetworkX then reads the same
file again.
"""
from __future__ import annotations

import networkx as nx
from networkx.utils import open_file

from .. import _weft
from .lazy import make

_IGNORED, _NONE, _FLOATS, _INTEGERS = range(4)
# White space of str.split() beyond ASCII, as UTF-8.
_SPACES = [c.encode() for c in "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))]


def _text(file, encoding):
    """The rest of a file, as UTF-8."""
    if not isinstance(encoding, str) or encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
        raise NotImplementedError("encodings other than UTF-8")
    text = file.read()
    if isinstance(text, str):
        text = text.encode()
    elif not text.isascii():
        text.decode()
    return text


def _separator(text, name, newline="\n"):
    if text is not None and (not isinstance(text, str) or not text or newline in text):
        raise NotImplementedError(f"{name} is not a plain string")
    return text


def _kind(data):
    if data is True or data is False:
        return (_NONE if data else _IGNORED), None
    if isinstance(data, (tuple, list)) and len(data) == 1 and isinstance(data[0], (tuple, list)) and len(data[0]) == 2:
        name, kind = data[0]
        if type(name) is str and (kind is float or kind is int):
            return (_FLOATS if kind is float else _INTEGERS), name
    raise NotImplementedError("data other than one number an edge")


def _read(file, adjacency, comments, delimiter, create_using, nodetype, data, encoding):
    if nodetype not in (None, int, str):
        raise NotImplementedError("nodes are neither strings nor integers")
    mode, attribute = _kind(data)
    begun = file.tell()
    try:
        text = _text(file, encoding)
        if delimiter is None and not text.isascii() and any(space in text for space in _SPACES):
            raise NotImplementedError("white space beyond ASCII")
        rows = _weft.nx_parse(text, adjacency, _separator(comments, "comments"), _separator(delimiter, "delimiter"),
                              nodetype is int, mode, create_using is nx.DiGraph)
    except (NotImplementedError, UnicodeError) as error:
        file.seek(begun)
        raise NotImplementedError(str(error)) from error
    return make(rows, create_using, attribute)


def read_edgelist(path, comments="#", delimiter=None, create_using=None, nodetype=None, data=True, edgetype=None, encoding="utf-8"):
    return _read(path, False, comments, delimiter, create_using, nodetype, data, encoding)


@open_file(0, mode="rb")
def read_weighted_edgelist(path, comments="#", delimiter=None, create_using=None, nodetype=None, encoding="utf-8"):
    return _read(path, False, comments, delimiter, create_using, nodetype, (("weight", float),), encoding)


def read_adjlist(path, comments="#", delimiter=None, create_using=None, nodetype=None, encoding="utf-8"):
    if comments is None:
        raise NotImplementedError("comments is None")
    return _read(path, True, comments, delimiter, create_using, nodetype, False, encoding)


def from_edgelist(edgelist, create_using=None):
    rows, attribute = _weft.nx_pairs(edgelist, create_using is nx.DiGraph)
    return make(rows, create_using, attribute)
