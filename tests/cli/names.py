"""Names that files find hard, in result files: writes a graph of such names as csv, runs weft on it, and reads each result back with
Python's own csv and json.  usage: names.py WEFT HOW_MANY, in an empty folder."""
import csv
import json
import random
import subprocess
import sys

PIECES = [b"", b" ", b"\t", b"\n", b"\r", b"\r\n", b"\v", b"\x1b[2J", b"\x7f", b'"', b"'", b"#", b"%", b",", b";", b"|", b"\\", b"\\n",
          b"\\t", b"&amp;", b"<b>", b"1", b"007", b"1.0", b"nan", b"null", b"source", b"rank", b"caf\xc3\xa9", b"\xff\xfe", b"\xe9",
          b"\xef\xbb\xbf", b"\xc2\x85", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"x"]
UNESCAPED = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\", "0": "\0"}


def hostile_names(count):
    dice = random.Random(35)
    names = {p.decode("utf-8", "surrogateescape") for p in PIECES}
    while len(names) < count:
        parts = [dice.choice(PIECES) for _ in range(dice.randint(1, 4))]
        names.add(b"".join(parts).decode("utf-8", "surrogateescape"))
    return sorted(names)


def opened(path):
    return open(path, encoding="utf-8", errors="surrogateescape", newline="")


def read_csv(path):
    return [row["id"] for row in csv.DictReader(opened(path))]


def read_tsv(path):
    rows = opened(path).read().split("\n")[1:-1]
    fields = [row.split("\t")[0] for row in rows]
    plain = []
    for field in fields:
        letters, out = iter(field), []
        for c in letters:
            out.append(UNESCAPED[next(letters)] if c == "\\" else c)
        plain.append("".join(out))
    return plain


def read_json(path):
    return [row["id"] for row in json.load(opened(path))["rows"]]


def read_jsonl(path):
    return [json.loads(line)["id"] for line in opened(path).read().split("\n")[:-1]]


def main():
    weft, names = sys.argv[1], hostile_names(int(sys.argv[2]))
    with open("names.csv", "w", encoding="utf-8", errors="surrogateescape", newline="") as f:
        out = csv.writer(f, quoting=csv.QUOTE_ALL, lineterminator="\n")
        out.writerow(["from", "to"])
        out.writerows(zip(names, names[1:] + names[:1]))
    wrong = 0
    for extension, read in (("csv", read_csv), ("tsv", read_tsv), ("json", read_json), ("jsonl", read_jsonl)):
        path = "ranks." + extension
        subprocess.run([weft, "pagerank", "names.csv", "--ids", "string", "-o", path, "-q"], check=True)
        got = read(path)
        if sorted(got) != names:
            odd = sorted(set(got) ^ set(names))[:5]
            print(f"{path}: {len(got)} names instead of {len(names)}, for example {odd!a}")
            wrong += 1
        if extension in ("csv", "tsv"):  # Weft reads them as well
            table = [weft, "subgraph", "names.csv", "--ids", "string", "--table", path, "--where", "rank >= 0", "-o", "all.csv", "-q"]
            done = subprocess.run(table, capture_output=True)
            back = {row[k] for row in csv.DictReader(opened("all.csv")) for k in ("source", "target")} if not done.returncode else set()
            if back != set(names):
                print(f"--table {path}: {len(back)} of {len(names)} vertices: {done.stderr[:300]!a} {sorted(set(names) - back)[:5]!a}")
                wrong += 1
    print(f"{len(names)} names")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
