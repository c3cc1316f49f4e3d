"""How a case is written down: a file, the flags, and the graph that a careful person would want of it."""

ASK = "ask"  # the file does not decide: the program has to refuse, with a sentence that helps


class Graph:
    """The wanted graph.  directed: True, False, or None where the file does not say and either reading will do.
    weights: "exact", or "optional" where a reading without any weight is as good."""

    def __init__(self, edges, directed, isolated, weights):
        self.edges, self.directed, self.weights = edges, directed, weights
        self.vertices = {end for edge in edges for end in edge[:2]} | set(isolated)


def parse_edge(word):
    """'u>v' or 'u>v=2.5' as (u, v, weight, {}); the weight is None without one."""
    ends, _, weight = word.partition("=")
    u, v = ends.split(">")
    return (u, v, float(weight) if weight else None, {})


def graph(edges, directed=None, isolated="", weights="exact"):
    """edges: words as parse_edge reads them, or tuples (u, v[, weight[, {column: value}]])."""
    if isinstance(edges, str):
        listed = [parse_edge(word) for word in edges.split()]
    else:
        listed = [(str(e[0]), str(e[1]), e[2] if len(e) > 2 else None, e[3] if len(e) > 3 else {}) for e in edges]
    return Graph(listed, directed, isolated.split(), weights)


class Case:
    """One file.  data: its content, None for a folder; files: further files, by name.  flags, wanted: how it is read
    and what is wanted then; also: further (flags, wanted).  help: what the sentence of a refusal has to say (regular
    expression), in place of the rule for all; say: what a note has to say for another reading to be no silent one."""

    def __init__(self, name, data, wanted, why, flags="", also=(), files=None, help=None, say=None, old=""):
        self.name, self.wanted, self.why, self.flags = name, wanted, why, flags
        self.also, self.help, self.say, self.old = list(also), help, say, old
        self.files = {key: as_bytes(value) for key, value in (files or {}).items()}
        if data is not None:
            self.files[name] = as_bytes(data)

    def runs(self):
        return [(self.flags, self.wanted)] + self.also


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8")
