"""Is a notebook valid nbformat 4, without outputs, and does it run as opened on Colab?
    notebook.py NOTEBOOK WEFT
Checks the form, then runs every cell in the folder it is started in: Python as it is, lines with ! and cells with %%bash by bash.  The source comes
by an upload (google.colab is made up) as a zip, which forgets what may be executed; its make leaves a build/weft that calls WEFT with few runs.  A
Makefile that fails must fail the cell that builds; and the words of a sweep must be printed.  What is wrong goes to standard error."""
import contextlib
import io
import json
import os
import subprocess
import sys
import types
import zipfile

SHORT = "--quick --repeat 1 --patience 0.05 --device cpu --sizes 100"
wrong = []


def code_of(cell, where):
    """The lines of a code cell; None when it has none that can be run."""
    kind = cell.get("cell_type")
    if kind not in ("markdown", "code"):
        wrong.append(f"{where}: a cell of kind {kind}")
        return None
    allowed = {"cell_type", "metadata", "source"} | ({"outputs", "execution_count"} if kind == "code" else set())
    if set(cell) != allowed:
        wrong.append(f"{where}: its keys are {sorted(cell)}")
    if not isinstance(cell["source"], list) or not all(isinstance(line, str) for line in cell["source"]):
        wrong.append(f"{where}: its source is not a list of lines")
        return None
    if any(not line.endswith("\n") for line in cell["source"][:-1]):
        wrong.append(f"{where}: a line does not end")
    if cell.get("outputs") or cell.get("execution_count") is not None:
        wrong.append(f"{where}: it has outputs")
    return "".join(cell["source"]).splitlines() if kind == "code" else None


def make_archive(name, weft, karate):
    program = f"""#!/bin/sh
if [ "$1" = lab ] && [ $# -gt 1 ]; then
    left=$#
    while [ $left -gt 0 ]; do
        word=$1 taken=1
        shift
        case $word in
        --repeat | --patience | --device | --sizes) shift; taken=2 ;;
        --quick) ;;
        *) set -- "$@" "$word" ;;
        esac
        left=$((left - taken))
    done
    set -- "$@" {SHORT}
fi
exec "{weft}" "$@"
"""
    with zipfile.ZipFile(name, "w") as archive:
        archive.writestr("weft-1/lab/lab.h", "")
        archive.writestr("weft-1/examples/karate.txt", karate)
        archive.writestr("weft-1/Makefile", "programs:\n\t@scripts/setup\n")
        archive.writestr("weft-1/scripts/setup", f"#!/bin/sh\nmkdir -p build\ncat > build/weft << 'END'\n{program}END\ncp build/weft build/weft-lab\nchmod +x build/weft*\n")


def html(text):
    """As IPython's, which warns at a page that is nothing but a frame."""
    if text.startswith("<iframe"):
        wrong.append("IPython warns: Consider using IPython.display.IFrame instead")
    return text


def make_up_modules(archive):
    """What Colab has: google.colab.files and IPython.display."""
    google, colab, ipython = (types.ModuleType(name) for name in ("google", "google.colab", "IPython"))
    colab.files = types.SimpleNamespace(upload=lambda: {archive: b""})
    display = types.ModuleType("IPython.display")
    display.HTML = html
    sys.modules.update({"google": google, "google.colab": colab, "IPython": ipython, "IPython.display": display})


def shell(text, where):
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True)
    if done.returncode:
        wrong.append(f"{where}: {text.splitlines()[-1]} ends with {done.returncode}: {done.stderr[-300:]}")
    return done.returncode


def run_cell(lines, where, names):
    if lines[0] == "%%bash":
        return shell("\n".join(lines[1:]), where)
    for line in lines:
        if line.startswith("!"):
            shell(line[1:], where)
    python = "\n".join(line for line in lines if not line.startswith("!"))
    try:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(python, where, "exec"), names)
    except (Exception, SystemExit) as error:
        wrong.append(f"{where}: {type(error).__name__}: {error}")
    return said.getvalue()


def check_failing_build(cells):
    """The cell that builds, on a Makefile that fails."""
    with open("Makefile", "w", encoding="utf-8") as file:
        file.write("programs:\n\t@false\n")
    builds = ["\n".join(lines[1:]) for _, lines in cells if lines[0] == "%%bash" and "make" in " ".join(lines)]
    if not builds or any(subprocess.run(["bash", "-c", text], capture_output=True).returncode == 0 for text in builds):
        wrong.append("a build that fails goes unnoticed")


def check_sources(cells, start):
    """The cell that looks for the source, begun anew: what was unpacked is found again, and SOURCE may be a folder or a repository without files."""
    (look,) = [lines for _, lines in cells if any(line.startswith("SOURCE = ") for line in lines)]
    folder, bare = os.path.join(start, "weft-source", "weft-1"), os.path.join(start, "bare.git")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "lab"], ["commit", "-qm", "x"], ["clone", "-q", "--bare", ".", bare]):
        if subprocess.run(git + words, cwd=folder, capture_output=True).returncode:
            bare = folder  # no git here
    for i, (place, source, wanted) in enumerate(((start, "", folder), ("one", folder, folder), ("two", bare, None))):
        place = os.path.join(start, place)
        os.makedirs(place, exist_ok=True)
        os.chdir(place)
        sys.modules["google.colab"].files.upload = lambda: wrong.append("it asks for the archive again") or {}
        code = [f"SOURCE = {source!r}" if line.startswith("SOURCE = ") else line for line in look]
        run_cell(["import shutil, subprocess", *code], f"the source, {i + 1}", {})
        if not os.path.exists("lab/lab.h") or (wanted and not os.path.samefile(".", wanted)):
            wrong.append(f"SOURCE {source!r}: it ends up in {os.getcwd()}")
    os.chdir(folder)


def check_sweeps(cells):
    """The cell that reads the sweeps prints the lab's words for both break-evens."""
    words = {"break_even_words": "the GPU is ahead at every size measured", "break_even_brought_words": "the GPU is ahead from about 1234 vertices on"}
    with open("pagerank.json", "w", encoding="utf-8") as file:
        json.dump({"tables": [{"rows": []}], "sweeps": [words]}, file)
    said = "".join(run_cell(lines, where, {}) for where, lines in cells if any('"sweeps"' in line for line in lines))
    wrong.extend(f"no cell says {sentence!r}: {said!r}" for sentence in words.values() if sentence not in said)


def main(notebook, weft):
    with open(notebook, encoding="utf-8") as file:
        book = json.load(file)
    with open(os.path.join(os.path.dirname(notebook), "karate.txt"), encoding="utf-8") as file:
        karate = file.read()
    if book.get("nbformat") != 4 or not isinstance(book.get("nbformat_minor"), int):
        wrong.append("it is not nbformat 4")
    if not isinstance(book.get("metadata"), dict) or "kernelspec" not in book["metadata"]:
        wrong.append("it names no kernel")
    cells = [(f"cell {i}", code_of(cell, f"cell {i}")) for i, cell in enumerate(book["cells"])]
    cells = [(where, lines) for where, lines in cells if lines]
    make_archive("weft.zip", os.path.abspath(weft), karate)
    make_up_modules("weft.zip")
    names, start = {}, os.getcwd()
    for where, lines in cells:
        run_cell(lines, where, names)
    for page in ("pagerank.html", "pagerank.json", "bfs.html", "karate.html"):
        if not os.path.exists(page):
            wrong.append(f"it leaves no {page}")
    check_sources(cells, start)
    check_sweeps(cells)
    check_failing_build(cells)


main(*sys.argv[1:])
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
