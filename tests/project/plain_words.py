"""Counts retired idioms in the comments of each room, and compares them with plain_words.tsv: a count may only fall.

    plain_words.py            what has risen; exit 1 if anything has
    plain_words.py --write    writes the counts as they are
    plain_words.py --list     each place, as file:line: idiom: the comment

docs/STYLE.md says what to write in their place."""
import collections
import pathlib
import re
import subprocess
import sys

IDIOMS = {  # name in the table: pattern, over comments in lower case
    "so many": r"\bso many\b(?! that)",
    "whose it is": r"\bwhose (\w+ )?(it|they|these|those) (is|are|was|were)\b",
    "what X has": r"\bwhat (it|they|the \w+|an? \w+|each \w+|\w+) (has|have)\b(?! \w+ed\b)",
    "as X has it": r"\bas (it|they|the \w+|\w+) (has|have) (it|them)\b",
    "those that": r"\bthose that\b",
    "one that": r"(?<!that )(?<!no )\b(any|is|are|as|of|with|to|by|the|be|from|for|than|only) one that\b",
    "the same of": r"\bthe same (of|for|with) (it|them|these|those|so|an?|the)\b",
    "in vain": r"\bin vain\b",
    "nobody": r"\bnobody\b",
    "is told": r"\b(is|are|was|were) told\b",
    "goes on with": r"\bgo(es)? on with\b",
    "settle": r"\bsettle[sd]?\b",
    "room (capacity)": r"\b(has|have|is|without|no|of|for|enough) room\b",
    "a wish": r"\bwish(es)?\b",
}
ROOMS = ["include", "check", "cli", "python", "src/*"]
HERE = pathlib.Path(__file__).resolve().parent
C_COMMENT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
PYTHON_COMMENT = re.compile(r'"""(.*?)"""|#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def comments(path, text):
    """(line, comment) of each comment and docstring, white space folded."""
    if path.suffix == ".py":
        found = (m for m in PYTHON_COMMENT.finditer(text) if m.group().startswith(('"""', "#")))
    else:
        found = (m for m in C_COMMENT.finditer(text) if m.group().startswith("/"))
    for match in found:
        words = re.sub(r"\n\s*(\*|#) ?", " ", match.group())
        yield text.count("\n", 0, match.start()) + 1, re.sub(r"\s+", " ", words)


def room_of(name):
    part = name.split("/")
    return "/".join(part[:2]) if part[0] == "src" else part[0]


def count(root, listing):
    files = subprocess.run(["git", "ls-files", "include", "check", "cli", "python", "src"], cwd=root, capture_output=True,
                           text=True).stdout.split()
    if not files:  # an export without git
        files = [str(p.relative_to(root)) for room in ("include", "check", "cli", "python", "src") for p in root.glob(room + "/**/*")]
    counts = collections.Counter()
    for name in files:
        path = root / name
        if path.suffix not in (".c", ".h", ".cu", ".cuh", ".py") or not path.is_file():
            continue
        for line, words in comments(path, path.read_text()):
            for idiom, pattern in IDIOMS.items():
                found = len(re.findall(pattern, words.lower()))
                counts[room_of(name), idiom] += found
                if found and listing:
                    print(f"{name}:{line}: {idiom}: {words}")
    return {key: n for key, n in counts.items() if n}


def main():
    root, table = HERE.parent.parent, HERE / "plain_words.tsv"
    counts = count(root, "--list" in sys.argv)
    if "--write" in sys.argv:
        table.write_text("".join(f"{room}\t{idiom}\t{n}\n" for (room, idiom), n in sorted(counts.items())))
        return 0
    allowed = {}
    for row in table.read_text().splitlines():
        room, idiom, n = row.split("\t")
        allowed[room, idiom] = int(n)
    risen = [(room, idiom, allowed.get((room, idiom), 0), n) for (room, idiom), n in sorted(counts.items())
             if n > allowed.get((room, idiom), 0)]
    for room, idiom, before, now in risen:
        print(f'{room}: "{idiom}" stands in {now} comments, {before} before: docs/STYLE.md has plainer words')
    print(f"retired idioms: {sum(counts.values())} of {sum(allowed.values())} allowed, in {len({room for room, _ in counts})} rooms")
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
