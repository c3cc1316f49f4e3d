"""Is a notebook valid nbformat 4, without outputs, with Python that compiles?  Prints the words of each command of weft in it, a line
each; what is wrong goes to standard error."""
import json
import shlex
import sys

wrong = []
book = json.load(open(sys.argv[1], encoding="utf-8"))
if book.get("nbformat") != 4 or not isinstance(book.get("nbformat_minor"), int):
    wrong.append("it is not nbformat 4")
if not isinstance(book.get("metadata"), dict) or "kernelspec" not in book["metadata"]:
    wrong.append("it names no kernel")
for number, cell in enumerate(book["cells"]):
    where = f"cell {number}"
    kind = cell.get("cell_type")
    if kind not in ("markdown", "code"):
        wrong.append(f"{where}: a cell of kind {kind}")
        continue
    allowed = {"cell_type", "metadata", "source"} | ({"outputs", "execution_count"} if kind == "code" else set())
    if set(cell) != allowed:
        wrong.append(f"{where}: its keys are {sorted(cell)}")
    if not isinstance(cell["source"], list) or not all(isinstance(line, str) for line in cell["source"]):
        wrong.append(f"{where}: its source is not a list of lines")
        continue
    if any(not line.endswith("\n") for line in cell["source"][:-1]):
        wrong.append(f"{where}: a line does not end")
    if kind == "markdown":
        continue
    if cell.get("outputs") or cell.get("execution_count") is not None:
        wrong.append(f"{where}: it has outputs")
    python = []
    for line in "".join(cell["source"]).splitlines():
        if line.startswith("!build/weft "):
            print(" ".join(shlex.quote(word) for word in shlex.split(line[1:])[1:]))
        if not line.startswith("!"):
            python.append(line)
    try:
        compile("\n".join(python), where, "exec")
    except SyntaxError as error:
        wrong.append(f"{where}: {error}")
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
