"""Every flag that an error proposes is tried: reading with it gives a graph, or at least another error than a wrong command line or the
same advice.  usage: advice.py WEFT FILE..."""
import re
import subprocess
import sys

VALUES = "source-col|target-col|weight-col|format|ids|separator|decimal|comments|vertices"
FLAG = re.compile(rf"--(?:({VALUES})(?: ([^\s;:()?]+?)(?=[\s;:)?]|[,.](?:\s|$)|$))?|(header|no-header|no-weights|weights|directed|undirected))(?![a-z-])")
WORDS = {"says", "with", "names", "makes", "takes"}  # what may follow a flag that is named without a value


def read(weft, path, flags):
    done = subprocess.run([weft, "info", path, *flags], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    return done.returncode, done.stderr.decode(errors="replace").replace(path, "FILE")


def proposals(message):
    """Each a list of alternatives, of which one has to help: words to type.  The columns of an edge belong together."""
    found, columns = [], set()
    message = re.sub(r"FILE \| weft info [^(;]*", "", message)  # what a pipeline has is no flag for the file
    for flag, value, alone in FLAG.findall(message):
        if alone:
            found.append([["--" + alone]])
        elif value == "N":
            columns.add(flag)
        elif value and value not in WORDS:
            found.append([["--" + flag, value]])
    last = max([int(n) for n in re.findall(r"(?:values: |, )(\d+) ", message)] or [3]) + 1
    if "source-col" in columns:
        found.append([["--source-col", str(u), "--target-col", str(v)] for u in range(1, last) for v in range(1, last) if u != v])
    elif "weight-col" in columns:
        found.append([["--weight-col", str(w)] for w in range(1, last)])
    return found


def helps(weft, path, message, flags):
    """0: one gives a graph; None: none does, nor leads to another question."""
    best = None
    for words in flags:
        code, said = read(weft, path, words)
        if not code:
            return 0, said
        if code == 3 and flags not in proposals(said) and said != message:
            best = code
    return best, said


def main():
    weft, wrong, tried, helped = sys.argv[1], 0, 0, 0
    for path in sys.argv[2:]:
        code, message = read(weft, path, [])
        if not code:  # a note may propose a flag, too
            wrong += any(read(weft, path, words)[0] == 2 for flags in proposals(message) for words in flags)
            continue
        for flags in proposals(message):
            tried += 1
            then, said = helps(weft, path, message, flags)
            helped += then == 0
            if then is None:
                print(f"{path}: {message}  {' '.join(flags[-1])}: {said}")
                wrong += 1
    print(f"{tried} flags tried, {helped} of them read a graph")
    sys.exit(wrong > 0 or not tried)


if __name__ == "__main__":
    main()
