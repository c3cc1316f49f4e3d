"""From which size on the GPU is ahead, in words: those of the lab (`break_even_words`, `break_even_brought_words`), or the same ones made of the outcome
where a file is older.  The oldest files have neither, and one number for all rungs on the GPU together."""

import re

TOGETHER = "all rungs on the GPU together"
SIDES = (("break_even_brought", "points_brought", "graph brought along in each run"), ("break_even", "points", "graph already there"))
AHEAD = "the GPU is ahead"
OUTCOMES = {
    "crosses": AHEAD + " from about {:.0f} vertices on",
    "always ahead": AHEAD + " at every size measured",
    "never ahead": AHEAD + " at no size measured",
    "not ahead at the largest": AHEAD + " at some sizes, not at the largest",
}


def even_words(sweep, key, points):
    """A sentence, thousands set apart; None = not measured."""
    vertices = sweep.get(key + "_vertices")
    outcome = sweep.get(key + "_outcome", "crosses" if vertices else "not measured")
    if outcome == "not measured":
        return None
    words = sweep.get(key + "_words")
    if not words:
        few = any(p.get("fewer_runs") for p in sweep.get(points, []))
        words = OUTCOMES[outcome].format(vertices or 0) + " (some of it from fewer runs than asked for)" * few
    return re.sub(r"\d{4,}", lambda found: f"{int(found.group()):,}", words)


def evens(sweep):
    """(what is compared, its words) for each question that was measured."""
    if "break_even_outcome" not in sweep:
        words = even_words(sweep, "break_even", "points")
        return [(TOGETHER, words)] if words else []
    found = [(graph, even_words(sweep, key, points)) for key, points, graph in SIDES]
    return [(graph, words) for graph, words in found if words]


def after_ahead(words):
    """What follows where AHEAD stands already: "from about 1,812 vertices on"."""
    return words[len(AHEAD) + 1 :] if words.startswith(AHEAD + " ") else words


def even_cell(sweep, graph):
    """For a column headed by AHEAD."""
    found = dict(evens(sweep))
    return after_ahead(found.get(graph) or (f"{found[TOGETHER]} ({TOGETHER})" if TOGETHER in found else "not measured"))


def even_list(sweeps):
    """Of several sweeps, to follow AHEAD: "(graph already there) from about 513 vertices on, from about 350 vertices on; ..."; "" = not measured."""
    pairs = [pair for sweep in sweeps for pair in evens(sweep)]
    kinds = [graph for _, _, graph in SIDES] + [TOGETHER]
    said = [(graph, ", ".join(dict.fromkeys(after_ahead(words) for of, words in pairs if of == graph))) for graph in kinds]
    return "; ".join(f"({graph}) {words}" for graph, words in said if words)
