"""The package as a whole: annotations that type checkers understand, and pages that say what happens."""
import gzip
import os
import pathlib
import re
import subprocess
import sys

import pytest
import weftgraph as wg

FOLDER = pathlib.Path(wg.__file__).parent
SOURCE = pathlib.Path(__file__).parents[3]

GOOD = """
import weftgraph as wg
g: wg.Graph = wg.generate.rmat(10, directed=False)
r = g.pagerank(damping=0.9, precision="f64", top=3)
n: int = g.vertices
method: str = g.plan("bfs", source=3).method
wg.from_edges([1], [2], [3.0]).sssp(1, targets=[2]).scalars["reached"]
wg.read("x.txt", weights="ignore", ids="string")
"""
BAD = {
    'wg.generate.rmat(10).pagerank(precision="f99")': "arg-type",
    "wg.generate.rmat(10).pagerank(dampin=0.9)": "call-arg",
    'wg.generate.rmat("x")': "arg-type",
    'x: str = wg.read("g").vertices': "assignment",
}


def test_type_checkers_understand(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text("import weftgraph as wg\n" + "\n".join(BAD) + "\n")
    assert (FOLDER / "py.typed").exists()

    def check(name):
        return subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", "cache", name], cwd=tmp_path,
                              capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(FOLDER.parent)}).stdout

    assert check("good.py").startswith("Success"), check("good.py")
    assert check(str(FOLDER)).startswith("Success"), check(str(FOLDER))
    said = check("bad.py")
    for line, kind in enumerate(BAD.values(), 2):
        assert re.search(rf"bad.py:{line}: error: .*\[{kind}\]", said), said


@pytest.mark.parametrize("torch", [False, True], ids=["without torch", "with torch"])
def test_the_page_runs(tmp_path, monkeypatch, torch):
    """Every block of Python on docs/python.md, on a small file; without drawing."""
    if torch:
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "web.txt.gz").write_bytes(gzip.compress(b"a b\nb c\nc z\nz a\n"))
    blocks = re.findall(r"```python\n(.*?)```", (SOURCE / "docs" / "python.md").read_text(), re.S)
    assert len(blocks) >= 2
    names: dict = {}
    for block in blocks:
        if "import torch" in block and not torch:
            continue
        if "matplotlib" in block:
            block = "\n".join(line for line in block.splitlines() if "plt" not in line)
        lines = [line for line in block.splitlines() if not line.startswith("help(")]
        exec("\n".join(lines), names)
    assert names["r"].scalars["iterations"] > 0
    assert ("layer" in names) == torch


KARATE = wg.generate.karate()


@pytest.mark.parametrize("call, said", [
    (lambda: KARATE.pagerank(damping="x"), "damping is 'x', but must be a number"),
    (lambda: KARATE.pagerank(max_iterations=1.5), "max_iterations is 1.5, but must be a whole number"),
    (lambda: KARATE.pagerank(weights="no"), "weights is 'no', but must be True or False"),
    (lambda: KARATE.bfs(None), "source is None, which is no vertex; without source the library chooses one"),
    (lambda: KARATE.plan("sssp", source=None), "source is None, which is no vertex"),
    (lambda: wg.Graph(), "graphs are made by weftgraph.read, from_edges and other functions"),
    (lambda: wg.read(3), "a path or an open file is needed, not int"),
    (lambda: wg.from_scipy([[0, 1], [1, 0]]), "a sparse matrix of SciPy is needed, not list"),
    (lambda: wg.from_pandas([(0, 1)]), "a data frame with a row for each edge is needed, not list"),
    (lambda: wg.from_polars(Lazy()), r"a Lazy has no rows before it is collected: give frame\.collect\(\)"),
    (lambda: wg.from_pandas(Relation()), "a data frame with a row for each edge is needed, not Relation; from_arrow takes it"),
])
def test_arguments_of_another_type_are_named(call, said):
    with pytest.raises(TypeError, match=said):
        call()


class Lazy:
    """What polars' lazy frames have."""

    columns, collect, lazy = ["source", "target"], None, None


class Relation:
    """What DuckDB's relations have."""

    columns, fetchall = ["source", "target"], None

    def __getitem__(self, name):
        raise TypeError("no column of numbers")


def test_a_path_may_be_bytes(tmp_path):
    (tmp_path / "e.txt").write_text("0 1\n1 2\n")
    assert wg.read(os.fsencode(tmp_path / "e.txt")).vertices == 3
    assert KARATE.bfs()["level"].tolist() == KARATE.bfs(34)["level"].tolist()
