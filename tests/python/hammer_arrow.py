"""Damaged arrays of Arrow's C interface against the extension module (python/src/arrow_in.c): whatever comes, it must be an exception or the
right values, and each structure must be released once.  Buffers are blocks of malloc of exactly their length, so that AddressSanitizer
sees who reads beyond them (make sanitize-python).  Only damage that a consumer can notice: lengths of buffers are not told.
   hammer_arrow.py [ROUNDS [SEED]]"""
import ctypes
import random
import struct
import sys

import weftgraph as wg
from weftgraph import _weft

NUMBERS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q", "f": "f", "g": "d"}
TEXTS = ("u", "U", "vu")
LARGE = (-1, -(2**63), -(2**31), 2**62, 2**63 - 1)

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Schema(ctypes.Structure):
    _fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
                ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
                ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class Array(ctypes.Structure):
    _fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p), ("children", ctypes.c_void_p),
                ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class Stream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
                ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class Producer:
    """Pieces of one array, damaged or not, and what became of them."""

    def __init__(self, rng):
        self.rng, self.blocks, self.released, self.made = rng, [], 0, 0
        self.format = rng.choice([*NUMBERS, *TEXTS])
        self.release_schema, self.release_array = RELEASE(self._end_schema), RELEASE(self._end_array)
        self.pieces = [self._values() for _ in range(rng.choice((1, 1, 2, 5)))]
        self.schema = Schema(format=self.format.encode(), release=self._address(self.release_schema))
        self.arrays = [self._array(values) for values in self.pieces]
        self.made = 1 + len(self.arrays)

    @staticmethod
    def _address(function):
        return ctypes.cast(function, ctypes.c_void_p).value

    def _end(self, type_, at):
        it = type_.from_address(at)
        assert it.release, "released twice"
        it.release = None
        self.released += 1

    def _end_schema(self, at):
        self._end(Schema, at)

    def _end_array(self, at):
        self._end(Array, at)

    def _block(self, data, crooked=False):
        at = libc.malloc(len(data) + crooked) or 0
        self.blocks.append(at)
        ctypes.memmove(at + crooked, data, len(data))
        return at + crooked

    def _values(self):
        count = self.rng.choice((0, 1, 3, 9, 30))
        if self.format in TEXTS:
            return ["x" * self.rng.choice((0, 1, 12, 13, 40)) + self.rng.choice(("", "é")) for _ in range(count)]
        if self.format in "fg":
            return [float(self.rng.randrange(100)) for _ in range(count)]
        return [self.rng.randrange(100) for _ in range(count)]

    def _array(self, values):
        offset, crooked = self.rng.choice((0, 0, 1, 7)), self.rng.random() < 0.2
        buffers = [self._block(b"\xff" * ((offset + len(values) + 7) // 8)) if self.rng.random() < 0.3 else 0]
        padded = [*values[:1] * offset, *values] if values else [self._zero()] * offset
        if self.format in NUMBERS:
            buffers.append(self._block(struct.pack(f"<{len(padded)}{NUMBERS[self.format]}", *padded), crooked))
        else:
            buffers += self._texts([s.encode() for s in padded], crooked)
        self.columns = (ctypes.c_void_p * len(buffers))(*buffers)
        held = self._block(bytes(self.columns))
        return Array(length=len(values), null_count=0 if not buffers[0] else self.rng.choice((0, -1)), offset=offset,
                     n_buffers=len(buffers), buffers=held, release=self._address(self.release_array))

    def _zero(self):
        return "" if self.format in TEXTS else 0

    def _texts(self, texts, crooked):
        if self.format != "vu":
            ends, total = [0], 0
            for t in texts:
                total += len(t)
                ends.append(total)
            return [self._block(struct.pack(f"<{len(ends)}{'i' if self.format == 'u' else 'q'}", *ends), crooked),
                    self._block(b"".join(texts)) if total else 0]
        views, text = b"", b""
        for t in texts:
            if len(t) <= 12:
                views += struct.pack("<i12s", len(t), t)
            else:
                views += struct.pack("<i4sii", len(t), t[:4], 0, len(text))
                text += t
        more = [self._block(text)] if text else []
        return [self._block(views, crooked), *more, self._block(struct.pack("<q", len(text))) if text else 0]

    # --- damage ---

    def damage(self):
        """Something that a consumer must notice, or may take as it is."""
        rng, a = self.rng, self.rng.choice(self.arrays)
        kinds = [lambda: setattr(a, "length", rng.choice(LARGE)), lambda: setattr(a, "offset", rng.choice(LARGE)),
                 lambda: setattr(a, "null_count", rng.choice((-2, a.length + 1, 2**62))),
                 lambda: setattr(a, "n_buffers", rng.choice((-1, 0, 1))), lambda: setattr(a, "buffers", None),
                 lambda: self._put(a, 1, None), lambda: self._lose(a), lambda: self._lose(self.schema),
                 lambda: setattr(self.schema, "format", rng.choice((None, b"", b"uu", b"+l", b"tdD", b"\xff\xfe", b"w:16", b"vz"))),
                 lambda: setattr(self.schema, "dictionary", ctypes.addressof(self.schema)), lambda: self._mark_nulls(a)]
        if self.format in TEXTS:
            kinds += [lambda: self._damage_texts(a)] * 6
        rng.choice(kinds)()

    def _lose(self, it):
        it.release = None
        self.made -= 1

    def _put(self, a, i, value):
        ctypes.c_void_p.from_address(a.buffers + 8 * i).value = value

    def _at(self, a, i):
        return ctypes.c_void_p.from_address(a.buffers + 8 * i).value

    def _mark_nulls(self, a):
        if self._at(a, 0) is None:
            a.null_count = 1
        elif a.length:
            ctypes.memset(self._at(a, 0), self.rng.randrange(255), (a.offset + a.length + 7) // 8)
            a.null_count = -1

    def _damage_texts(self, a):
        rng = self.rng
        if not a.length or a.offset < 0 or a.length > 1000:
            return
        entry = a.offset + rng.randrange(a.length)
        if self.format == "vu":
            field = rng.choice((0, 8, 12))
            text = self._at(a, a.n_buffers - 1) is not None
            value = rng.choice((-1, -(2**31), 2**31 - 1, 1000 if text else 13))
            ctypes.memmove(self._at(a, 1) + 16 * entry + field, struct.pack("<i", value), 4)
            return
        wide = self.format == "U"
        value = rng.choice((-1, -(2**31), 2**31 - 1, *((2**62, -(2**63)) if wide else ())))
        ctypes.memmove(self._at(a, 1) + (8 if wide else 4) * entry, struct.pack("<q" if wide else "<i", value), 8 if wide else 4)

    # --- what Python sees ---

    def as_array(self):
        def capsules(requested=None):
            first = new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None)
            second = new_capsule(ctypes.addressof(self.arrays[0]), self.rng.choice([b"arrow_array"] * 9 + [b"arrow_schema"]), None)
            return self.rng.choice([(first, second)] * 12 + [(first,), first, None, (second, first), [first, second]])
        return type("Source", (), {"__arrow_c_array__": staticmethod(capsules)})()

    def as_stream(self):
        error = self.rng.choice((0,) * 9 + (5,))
        at = [0]

        def get_schema(stream, out):
            if error and self.rng.random() < 0.5:
                return error
            ctypes.memmove(out, ctypes.addressof(self.schema), ctypes.sizeof(Schema))
            self.schema.release = None
            return 0

        def get_next(stream, out):
            if at[0] == len(self.arrays):
                ctypes.memset(out, 0, ctypes.sizeof(Array))
                return error
            ctypes.memmove(out, ctypes.addressof(self.arrays[at[0]]), ctypes.sizeof(Array))
            self.arrays[at[0]].release = None
            at[0] += 1
            return 0

        call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.calls = [call(get_schema), call(get_next), RELEASE(lambda s: None)]
        self.stream = Stream(*map(self._address, self.calls[:2]), None, self.rng.choice([self._address(self.calls[2])] * 9 + [None]))
        source = lambda requested=None: new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)  # noqa: E731
        return type("Source", (), {"__arrow_c_stream__": staticmethod(source)})()

    def close(self):
        """What nobody took is released by its producer, as capsules do."""
        for it, end in ((self.schema, self.release_schema), *((a, self.release_array) for a in self.arrays)):
            if it.release:
                end(ctypes.addressof(it))
        assert self.released == self.made, f"{self.made} structures, {self.released} released"
        for at in self.blocks:
            libc.free(at)


def one_round(seed):
    rng = random.Random(seed)
    producer = Producer(rng)
    damaged = rng.random() < 0.7
    if damaged:
        producer.damage()
    if len(producer.arrays) > 1 or rng.random() < 0.3:
        source, told = producer.as_stream(), [x for values in producer.pieces for x in values]
    else:
        source, told = producer.as_array(), producer.pieces[0]
    verdict = "refused"
    try:
        got = _weft.arrow_values(source)
        if damaged:
            repr(got)
        else:
            values = got if isinstance(got, list) else memoryview(got).tolist()
            assert values == told and list(got) == told, (values, told)
            if told:
                assert wg.from_edges(got, got).edges == len(set(told))
        verdict = "taken"
        del got
    except (ValueError, TypeError) as error:
        del error
    finally:
        producer.close()
    return damaged, verdict


def main():
    rounds, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seen = {}
    for i in range(rounds):
        try:
            what = one_round(f"{seed}/{i}")
        except BaseException:
            print(f"hammer_arrow: round {i} of seed {seed}", file=sys.stderr)
            raise
        seen[what] = seen.get(what, 0) + 1
    print(f"{rounds} rounds: " + ", ".join(f"{'damaged' if d else 'sound'} {v} {n}" for (d, v), n in sorted(seen.items())))
    assert seen[False, "taken"] and seen[True, "refused"]


if __name__ == "__main__":
    main()
