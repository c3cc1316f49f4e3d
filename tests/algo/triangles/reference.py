"""What triangles must answer: see tests/conformance/compare.py."""
import networkx as nx

from expecting import expect


def check(case, run):
    answer, want = run(), nx.triangles(case.simple)
    expect("triangles", answer.column("triangles"), want)
    expect("total", answer.result, {"triangles": sum(want.values()) // 3})
