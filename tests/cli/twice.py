"""A flag that is given twice: with the same value it says that once; with another one the two are added together, or refused with both values.
Every flag that weft help COMMAND lists is tried, in one of the commands and algorithms that have it.  usage: twice.py WEFT, in an empty folder."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from flags import FILES, OF, VALUES, WEFT, help_of

# These are added together; of the others the message names both values.
ADDED = {"keep", "merge", "nodes", "edges-where", "where", "of", "ego", "community", "ids", "avoid", "generate", "run", "source", "sources", "dag",
         "personalize", "nstart", "dangling-to", "target", "root", "seeds", "targets"}
CHOICES = {"duplicates": ["sum", "max"], "weigh": ["count", "newman"], "mode": ["union", "difference"], "measure": ["common", "jaccard"],
           "line-width": ["even", "weight"], "largest-component": ["weak", "strong"]}


def flags_of(topic):
    """Of each flag of the topic: its name, what help calls its value."""
    for line in help_of([topic]).splitlines():
        found = re.match(r"  (?:-\w, |    )--([a-z][a-z-]*)(?: (\S+(?: V)?))?(?:  |$)", line)
        if found:
            yield found[1], found[2]


def two_values(topic, flag, kind):
    """Two words or pairs of words that the flag takes, and that differ."""
    if kind is None:
        return [None]
    if flag in CHOICES and topic not in ("kcore", "degree"):
        return CHOICES[flag]
    if flag == "mode":
        return ["out", "in"]
    if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", kind):
        return kind.split("|")[:2]
    known = OF.get((topic, flag), VALUES.get(flag))
    if kind == "U V":
        return ["1 2", "1 3"]
    if known is None:
        known = {"SIZE": "1M", "LIST": "1"}.get(kind, "3")
    if re.fullmatch(r"\d+", known):
        return [known, str(int(known) + 1)]
    if re.fullmatch(r"0\.\d+", known):
        return [known, known + "1"]
    return {"SIZE": ["1M", "2M"], "S": ["7", "8"], "P": ["0.5", "0.25"]}.get(kind) or [known, "other" + known if known[:1].isalpha() else known + "1"]


def words(flag, value):
    return ["--" + flag, *(value.split() if flag == "edge" else [value])] if value is not None else ["--" + flag]


def say(line):
    done = subprocess.run([WEFT, *line], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=120, cwd="files")
    return done.returncode, done.stderr


def wrong(case):
    """What is wrong with a flag, or None; no operands are given, or none that are there: nothing runs."""
    topic, operands, flag, kind = case
    start = [*topic.split(), *operands]
    values = two_values(topic, flag, kind)
    once, same = (say([*start, *words(flag, values[0]) * times]) for times in (1, 2))
    if "given twice" in same[1] or once != same:
        return f"{topic} --{flag} {values[0]}: twice the same is not once: {same} {once}"
    if len(values) == 1:
        return None
    code, said = say([*start, *words(flag, values[0]), *words(flag, values[1])])
    refused = f"--{flag} is given twice, with different values: '{values[0]}' and '{values[1]}'"
    exclude = re.search(r"exclude each other", said)
    if flag in ADDED and kind not in ("auto|integer|string", "K"):
        return f"{topic} --{flag} is not added: {said}" if "given twice" in said else None
    if code != 2 or (refused not in said and not exclude):
        return f"{topic} --{flag} {values[0]} --{flag} {values[1]}: {code} {said}"
    return None


def main():
    os.mkdir("files")
    for name, text in FILES.items():
        with open(f"files/{name}", "w", encoding="utf-8") as f:
            f.write(text)
    topics = [name for name in re.findall(r"^  ([a-z]+)(?=  )", help_of([]), re.M) if name not in ("lab", "version", "flags", "cycle", "path")]
    operands = {"neighbors": [], "dynamic": ["info", "no.weft"], "generate": ["rmat"], "compare": ["no", "no"], "merge": ["no", "no"], "path": ["no", "1", "2"],
                "agreement": ["no", "no"], "run": ["no", "degree"], "convert": ["no", "no.weft"], "help": ["no-topic"], "bench": ["no"], "predict": ["no"],
                "doctor": ["no"], "report": ["no"], "version": []}
    cases = {(flag, kind): (topic, operands.get(topic, ["no"]), flag, kind) for topic in topics for flag, kind in flags_of(topic) if flag != "help"}.values()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = [found for found in pool.map(wrong, cases) if found]
    print("\n".join(problems))
    print(f"{len(cases)} flags of {len(topics)} commands and algorithms")
    sys.exit(len(cases) < 150 or len(problems) > 0)


if __name__ == "__main__":
    main()
