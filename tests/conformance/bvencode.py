#!/usr/bin/env python3
"""BV-compressed graphs (x.graph and x.properties), written from the published description, for tests of the reader.

    bvencode.py write STEM [key=value ...] < lines "u v"     one graph; keys as in a .properties file, and choice=SEED
    bvencode.py check WEFT [--seeds N]                       random graphs under every kind of flags, read by WEFT

The encoder does not look for the shortest code: which row is copied from is drawn at random, so that a reader sees more
than a good compressor would show it.  Boldi and Vigna, "The WebGraph framework I: compression techniques", WWW 2004."""
import itertools
import os
import random
import subprocess
import sys
import tempfile

DEFAULTS = {"windowsize": 7, "maxrefcount": 3, "minintervallength": 4, "zetak": 3, "compressionflags": ""}
FIELDS = {"OUTDEGREES": "GAMMA", "REFERENCES": "UNARY", "BLOCK_COUNT": "GAMMA", "BLOCKS": "GAMMA", "INTERVALS": "GAMMA",
          "RESIDUALS": "ZETA"}


class Bits:
    def __init__(self, little, zeta_k):
        self.bits, self.little, self.zeta_k = [], little, zeta_k  # words of 0 and 1

    def plain(self, x, width):
        if width:
            word = format(x, f"0{width}b")
            self.bits.append(word[::-1] if self.little else word)

    def unary(self, x):
        self.bits.append("0" * x + "1")

    def gamma(self, x):
        width = (x + 1).bit_length() - 1
        self.unary(width)
        self.plain(x + 1 - (1 << width), width)

    def delta(self, x):
        width = (x + 1).bit_length() - 1
        self.gamma(width)
        self.plain(x + 1 - (1 << width), width)

    def minimal(self, x, count):
        width = count.bit_length() - 1
        shorter = (2 << width) - count
        if x < shorter:
            self.plain(x, width)
        else:
            self.plain((x + shorter) >> 1, width)
            self.plain((x + shorter) & 1, 1)

    def zeta(self, x, k):
        h = ((x + 1).bit_length() - 1) // k
        low = 1 << h * k
        self.unary(h)
        self.minimal(x + 1 - low, (1 << (h + 1) * k) - low)

    def nibble(self, x):
        groups = [x & 7]
        while x > 7:
            x >>= 3
            groups.append(x & 7)
        for i, group in enumerate(reversed(groups)):
            self.plain(int(i == len(groups) - 1), 1)
            self.plain(group, 3)

    def golomb(self, x, modulus):
        self.unary(x // modulus)
        self.minimal(x % modulus, modulus)

    def number(self, code, x):
        if code.startswith("ZETA"):
            self.zeta(x, int(code[4:] or self.zeta_k))
        elif code == "GOLOMB":
            self.golomb(x, self.zeta_k)
        else:
            getattr(self, code.lower())(x)

    def bytes(self):
        text = "".join(self.bits)
        text += "0" * (-len(text) % 8)
        return int("0" + (text[::-1] if self.little else text), 2).to_bytes(len(text) // 8, "little" if self.little else "big")


def zigzag(x):
    return 2 * x if x >= 0 else -2 * x - 1


def blocks_of(copied_from, row):
    """Lengths of runs, taken and skipped in turn, beginning with one that is taken; a last one to the end is not named."""
    there, blocks, take = set(row), [], True
    at = 0
    while at < len(copied_from):
        start = at
        while at < len(copied_from) and (copied_from[at] in there) == take:
            at += 1
        blocks.append(at - start)
        take = not take
    if blocks:
        blocks.pop()
    return blocks


def intervals_of(extra, shortest):
    spans, rest, at = [], [], 0
    while at < len(extra):
        end = at
        while end + 1 < len(extra) and extra[end + 1] == extra[end] + 1:
            end += 1
        if shortest and end - at + 1 >= shortest:
            spans.append((extra[at], end - at + 1))
        else:
            rest.extend(extra[at:end + 1])
        at = end + 1
    return spans, rest


def codes_of(properties):
    codes = dict(FIELDS)
    flags = [f.strip() for f in properties["compressionflags"].split("|") if f.strip()]
    for flag in flags:
        field, _, code = flag.rpartition("_")
        codes[field] = code
    if "endianness" in properties and not any(f.startswith("BLOCK_COUNT_") for f in flags):
        codes["BLOCK_COUNT"] = codes["BLOCKS"]
    return codes


def encode(rows, properties, dice):
    """The bytes of x.graph; rows are sorted lists without repetition."""
    p = {**DEFAULTS, **properties}
    codes = codes_of(p)
    window, shortest = int(p["windowsize"]), int(p["minintervallength"])
    b = Bits(p.get("endianness") == "little", int(p["zetak"]))
    for x, row in enumerate(rows):
        b.number(codes["OUTDEGREES"], len(row))
        if not row:
            continue
        extra = row
        if window:
            back = dice.randint(0, min(window, x))
            b.number(codes["REFERENCES"], back)
            if back:
                blocks = blocks_of(rows[x - back], row)
                b.number(codes["BLOCK_COUNT"], len(blocks))
                for i, block in enumerate(blocks):
                    b.number(codes["BLOCKS"], block - (i > 0))
                there = set(rows[x - back])
                extra = [v for v in row if v not in there]
        if not extra:
            continue
        spans, rest = intervals_of(extra, shortest)
        if shortest:
            b.number(codes["INTERVALS"], len(spans))
            end = None
            for left, length in spans:
                b.number(codes["INTERVALS"], zigzag(left - x) if end is None else left - end - 1)
                b.number(codes["INTERVALS"], length - shortest)
                end = left + length
        last = None
        for v in rest:
            b.number(codes["RESIDUALS"], zigzag(v - x) if last is None else v - last - 1)
            last = v
    return b.bytes()


def write(stem, rows, properties, dice):
    p = {"graphclass": "it.unimi.dsi.webgraph.BVGraph", "version": 0, "nodes": len(rows),
         "arcs": sum(map(len, rows)), **DEFAULTS, **properties}
    data = encode(rows, properties, dice)
    with open(stem + ".graph", "wb") as f:
        f.write(data)
    with open(stem + ".properties", "w") as f:
        f.write("#BVGraph properties\n" + "".join(f"{key}={value}\n" for key, value in p.items()))


# --- checking ---------------------------------------------------------------------------------

def settings():
    """Every code in every field, alone and together with others; every window and shortest interval with several."""
    every = {"OUTDEGREES": ["GAMMA", "DELTA"], "REFERENCES": ["UNARY", "GAMMA", "DELTA"],
             "BLOCK_COUNT": ["GAMMA", "DELTA", "UNARY"], "BLOCKS": ["GAMMA", "DELTA", "UNARY"],
             "RESIDUALS": ["ZETA", "GAMMA", "DELTA", "NIBBLE", "GOLOMB"]}
    for codes in itertools.product(*every.values()):
        flags = [f"{field}_{code}" for field, code in zip(every, codes) if code != FIELDS[field]]
        yield {"compressionflags": " | ".join(flags)}
    for window, shortest, k in itertools.product((0, 1, 3, 7, 20), (0, 2, 3, 4, 9), (1, 2, 3, 5, 7)):
        yield {"windowsize": window, "minintervallength": shortest, "zetak": k}
    codes = ["UNARY", "GAMMA", "DELTA", "ZETA1", "ZETA3", "ZETA7"]
    for endianness, field, code in itertools.product(("big", "little"), FIELDS, codes):
        if field != "BLOCK_COUNT":
            yield {"endianness": endianness, "version": int(endianness == "little"), "compressionflags": f"{field}_{code}"}
    for endianness in "big", "little":
        yield {"endianness": endianness, "version": 1, "windowsize": 20, "minintervallength": 2,
               "compressionflags": "OUTDEGREES_ZETA2|REFERENCES_GAMMA|BLOCKS_DELTA|INTERVALS_ZETA1|RESIDUALS_DELTA"}


def random_rows(dice):
    n = dice.choice((1, 2, 5, 30, 200, 400))
    rows = []
    for x in range(n):
        kind = dice.random()
        row = set()
        if rows and kind < 0.5:  # like a row before, with changes
            row = {v for v in rows[max(0, x - dice.randint(1, 9))] if dice.random() < 0.8}
        if kind < 0.8:
            for _ in range(dice.randint(0, 3)):
                left = dice.randrange(n)
                row.update(range(left, min(n, left + dice.randint(1, 15))))
            row.update(dice.randrange(n) for _ in range(dice.randint(0, 6)))
        if kind > 0.98:
            row = set(range(n))
        rows.append(sorted(row))
    return rows


def read_with(weft, path):
    done = subprocess.run([weft, "convert", path, "-", "--to", "edgelist"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    lines = done.stdout.splitlines()
    n = int(lines[0].split("vertices ")[1].split()[0])
    rows = [[] for _ in range(n)]
    numbers = map(int, " ".join(line for line in lines[1:] if not line.startswith("#")).split())
    for u, v in zip(numbers, numbers, strict=True):
        rows[u].append(v)
    return rows


def check(weft, seeds):
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            for number, properties in enumerate(settings()):
                dice = random.Random(f"{seed} {number}")
                rows = random_rows(dice)
                stem = os.path.join(folder, "x")
                write(stem, rows, properties, dice)
                got = read_with(weft, dice.choice((stem, stem + ".graph", stem + ".properties")))
                tried += 1
                if got != rows:
                    wrong += 1
                    print(f"seed {seed}, setting {number} {properties}: {got if isinstance(got, str) else 'other rows'}")
    print(f"{tried - wrong} passed, {wrong} failed, 0 skipped")
    return 1 if wrong or not tried else 0


def main(args):
    if args[:1] == ["check"] and len(args) in (2, 4):
        return check(args[1], int(args[3]) if len(args) == 4 else 1)
    if args[:1] == ["write"] and len(args) >= 2:
        given = dict(a.split("=", 1) for a in args[2:])
        dice = random.Random(given.pop("choice", "0"))
        pairs = [tuple(map(int, line.split())) for line in sys.stdin if line.strip()]
        n = int(given.get("nodes", max((max(p) for p in pairs), default=-1) + 1))
        rows = [sorted({v for u, v in pairs if u == x}) for x in range(n)]
        write(args[1], rows, given, dice)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
