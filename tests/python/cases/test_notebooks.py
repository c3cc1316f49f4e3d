"""The notebooks of examples/notebooks: they run from top to bottom, and show what the files say."""
import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
RUNNER = ROOT / "tests" / "python" / "run_notebook.py"


def test_there_are_notebooks():
    assert [n.stem for n in NOTEBOOKS] == ["clusters", "first-look", "gpu-and-pytorch", "networkx"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_a_notebook_runs(notebook, tmp_path):
    done = subprocess.run([sys.executable, RUNNER, notebook], cwd=tmp_path, capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda n: n.stem)
def test_a_notebook_tells_nothing_of_the_machine(notebook):
    assert not re.search(r"/(home|root|tmp|usr|var|work|opt)/", notebook.read_text())


def test_the_runner_notices(tmp_path):
    book = json.loads(next(n for n in NOTEBOOKS if n.stem == "first-look").read_text())
    kinds = [cell["cell_type"] for cell in book["cells"]]
    del book["cells"][kinds.index("code") + 1:]
    text = json.dumps(book)
    assert "34 vertices, 78 undirected" in text
    changed = tmp_path / "changed.ipynb"
    changed.write_text(text.replace("34 vertices, 78 undirected", "34 vertices, 79 undirected"))
    done = subprocess.run([sys.executable, RUNNER, changed], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "cell 1 shows something else" in done.stdout
