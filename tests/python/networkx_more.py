"""Tests in NetworkX's manner of what its own do not ask of a graph that has an answer (test_nx_suite.sh)."""
import networkx as nx
import pytest


def test_overall_reciprocity():
    """NetworkX asks it of an empty graph only."""
    assert nx.overall_reciprocity(nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 0)])) == 0.5
    assert nx.overall_reciprocity(nx.DiGraph([(0, 1)])) == 0
    with pytest.raises(nx.NetworkXError):
        nx.overall_reciprocity(nx.DiGraph())
