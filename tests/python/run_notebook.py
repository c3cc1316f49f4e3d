"""run_notebook.py FILE [--write]: runs the code cells of a notebook one after the other, with nothing but Python, and compares what they show
with what the file has; --write puts it there.  In a cell's metadata, `needs` lists modules without which it is left out, and `varies` says that
what it shows depends on the machine: that is neither kept nor compared.  Exit code 77: the first cell needs what is not there."""
import ast
import contextlib
import importlib.util
import io
import json
import sys


def run(source, names):
    """What the cell prints, and the value of its last expression if it is one."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last and not source.rstrip().endswith(";") else None
    return said.getvalue(), value


def outputs(said, value, count):
    shown = []
    if said:
        shown.append({"name": "stdout", "output_type": "stream", "text": said.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        shown.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return shown


def main():
    path, write = sys.argv[1], "--write" in sys.argv[2:]
    with open(path) as f:
        book = json.load(f)
    names, count, wrong = {"__name__": "__main__"}, 0, 0
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        missing = [m for m in cell["metadata"].get("needs", []) if importlib.util.find_spec(m) is None]
        if missing:
            print(f"cell {count} needs {', '.join(missing)}")
            if count == 1:
                sys.exit(77)
            continue
        source = "".join(cell["source"])
        fresh = outputs(*run(source, names), count)
        if cell["metadata"].get("varies"):
            fresh = []
        if write:
            cell["outputs"], cell["execution_count"] = fresh, count
        elif fresh != cell["outputs"]:
            wrong += 1
            print(f"cell {count} shows something else than the file has:\n{source}\n--- now\n{json.dumps(fresh, indent=1)}")
    if write:
        with open(path, "w") as f:
            f.write(json.dumps(book, indent=1, ensure_ascii=False) + "\n")
    print(f"{count} cells")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
