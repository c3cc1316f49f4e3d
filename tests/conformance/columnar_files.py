#!/usr/bin/env python3
"""Writes the golden and the bad files of Parquet and Arrow under tests/data, for tests/io/test_parquet.c and test_arrow.c.

    columnar_files.py tests/data

Needs pyarrow, polars, duckdb, pandas and fastparquet. The files are kept in the repository, so that the tests need none of
them; run it again only to add files, since the bytes differ from one version of these libraries to the next.
"""
import datetime
import os
import struct
import sys

import duckdb
import fastparquet
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

U, V = [1, 2, 3, 1, 9], [2, 3, 1, 3, 1]
NAMES_U, NAMES_V = ["ann", "bob", "cy", "ann", "dora"], ["bob", "cy", "ann", "cy", "ann"]
LONG_V = ["a name beyond twelve bytes", "bob", "a name beyond twelve bytes", "", "bob"]
WHOLE, REAL = [5, 0, 7, 4294967295, 1], [0.5, 1.25, -3.0, 4.0, 0.75]


def required(**columns):
    """A table whose columns cannot have nulls."""
    arrays = {k: a if isinstance(a, (pa.Array, pa.ChunkedArray)) else pa.array(a) for k, a in columns.items()}
    return pa.table(list(arrays.values()), schema=pa.schema([pa.field(k, a.type, False) for k, a in arrays.items()]))


def slim(table):
    return table.replace_schema_metadata(None)


def parquet(path, table, **options):
    pq.write_table(slim(table), path, store_schema=False, **options)


def ipc(path, batches, stream=False, **options):
    batches = batches if isinstance(batches, list) else slim(batches).to_batches(max_chunksize=2)
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(path, "wb") as f, make(f, batches[0].schema, options=pa.ipc.IpcWriteOptions(**options)) as w:
        for b in batches:
            w.write_batch(b)


def read(path):
    with open(path, "rb") as f:
        return bytearray(f.read())


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


# --- golden ------------------------------------------------------------------------------------

DAY, TIME = datetime.date, datetime.datetime


def values(**more):
    """Edges with a column of each type that is kept, with nulls among their values."""
    return pa.table({"source": NAMES_U, "target": NAMES_V, "whole": pa.array([5, None, -7, 2**53 + 1, 0]),
                     "large": pa.array([None, 2**64 - 1, 1, 2, 3], pa.uint64()), "real": [0.1, None, 1e300, -2.5, float("nan")],
                     "single": pa.array([0.5, 1.25, None, 4.0, 0.1], pa.float32()), "truth": [True, None, False, True, True],
                     "text": pa.array(["x", "a name beyond twelve bytes", None, "", "x"]),
                     "day": [DAY(2024, 2, 29), None, DAY(1969, 12, 31), DAY(1, 1, 1), DAY(2100, 1, 1)],
                     "local": pa.array([TIME(2024, 3, 1, 12, 30), None, TIME(1969, 12, 31, 23, 59, 59, 1), TIME(2024, 3, 1), TIME(2000, 1, 1)],
                                       pa.timestamp("us")),
                     "utc": pa.array([1709294400123, None, -1, 0, 1], pa.timestamp("ms", "UTC")),
                     "nanos": pa.array([1709294400000000001, None, -1, 0, 1000], pa.timestamp("ns")),
                     "nothing": pa.nulls(5), **more})


def golden_parquet(to):
    ids = pa.table({"source": U, "target": V})
    texts = pa.table({"source": NAMES_U, "target": NAMES_V})
    kept = values(old=pa.array([TIME(2024, 3, 1, 12, 30), None, TIME(1969, 12, 31), TIME(2024, 3, 1), TIME(2000, 1, 1)], pa.timestamp("us")),
                  list=[[1], None, [], [2], [3]])
    parquet(to("columns.parquet"), kept, row_group_size=3, compression="snappy")
    parquet(to("columns_v2.parquet"), kept, compression="zstd", data_page_version="2.0", use_dictionary=False, version="2.6",
            column_encoding={"truth": "RLE", "whole": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "real": "BYTE_STREAM_SPLIT"})
    parquet(to("columns_old.parquet"), kept.select(["source", "target", "old", "truth"]), use_deprecated_int96_timestamps=True)
    parquet(to("plain.parquet"), required(source=U, target=V), compression="none", use_dictionary=False)
    parquet(to("snappy_dictionary.parquet"), ids.append_column("weight", pa.array(REAL)), row_group_size=2)
    parquet(to("zstd_v2.parquet"), texts, compression="zstd", data_page_version="2.0", row_group_size=3)
    parquet(to("gzip_small_ints.parquet"), pa.table({"src": pa.array(U, pa.int8()), "dst": pa.array(V, pa.uint16()),
            "w": pa.array(WHOLE, pa.uint32())}), compression="gzip", use_dictionary=False)
    parquet(to("lz4_texts.parquet"), pa.table({"from": NAMES_U, "to": LONG_V}), compression="lz4", use_dictionary=False)
    many = list(range(300))
    packed = required(source=[i * i % 13 * 1000003 for i in many], target=[3 for _ in many])
    parquet(to("delta_ints.parquet"), packed, use_dictionary=False,
            column_encoding={"source": "DELTA_BINARY_PACKED", "target": "DELTA_BINARY_PACKED"})
    parquet(to("delta_int32.parquet"), required(source=pa.array([2**31 - 1, -2**31, 5], pa.int32()),
            target=pa.array([0, 2**32 - 1, 6], pa.uint32())), use_dictionary=False, column_encoding="DELTA_BINARY_PACKED")
    parquet(to("delta_lengths.parquet"), texts, use_dictionary=False, column_encoding="DELTA_LENGTH_BYTE_ARRAY")
    parquet(to("delta_texts.parquet"), pa.table({"source": ["node1", "node10", "node10", "no", "node2"],
            "target": ["node10", "node2", "no", "no", "node1"]}), use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY")
    parquet(to("stream_split.parquet"), pa.table({"source": U, "target": pa.array(V, pa.int32()),
            "weight": pa.array(REAL, pa.float32())}), use_dictionary=False, column_encoding="BYTE_STREAM_SPLIT")
    parquet(to("checksums.parquet"), ids, write_page_checksum=True)
    parquet(to("large_ids.parquet"), pa.table({"source": [2**40, -7, 2**63 - 1], "target": pa.array([0, 1, 2**40], pa.uint64()),
            "weight": [-1, 2**40, 3]}))
    parquet(to("direction.parquet"), pa.table({"Source": [1, 2], "Target": [2, 3], "Type": ["Undirected", "Undirected"]}))
    far = [i // 20000 for i in range(80000)]
    parquet(to("many_rows.parquet"), pa.table({"source": [f"s{i}" for i in far],
            "target": [f"t{i % 3}" for i in far]}), row_group_size=10000, write_statistics=False)
    parquet(to("no_rows.parquet"), ids.slice(0, 0))
    parquet(to("unused_names.parquet"), pa.table({"source": pa.DictionaryArray.from_arrays([0, 2], ["a", "unused", "b"]),
            "target": ["b", "c"]}))
    parquet(to("passed_over.parquet"), pa.table({"list": [[1], [2, 3]], "source": [1, 2], "nested": [{"a": 1, "b": "x"}] * 2,
            "time": pa.array([10**9, 10**9], pa.timestamp("us")), "target": [2, 1], "flag": [True, False]}))
    pd.DataFrame({"source": U, "target": V}, index=[4, 7, 1, 0, 2]).to_parquet(to("pandas_index.parquet"))
    fastparquet.write(to("fastparquet.parquet"), pd.DataFrame({"source": U, "target": V, "weight": REAL}))
    pl.DataFrame({"source": NAMES_U, "target": LONG_V, "weight": WHOLE}).write_parquet(to("polars.parquet"))
    duck = duckdb.connect()
    duck.register("t", pa.table({"source": NAMES_U, "target": NAMES_V, "weight": REAL}))
    duck.execute(f"COPY t TO '{to('duckdb.parquet')}' (FORMAT parquet, PARQUET_VERSION V2)")


def golden_arrow(to):
    kept = values(seconds=pa.array([1709294400, None, -1, 0, 1], pa.timestamp("s", "Europe/Berlin")),
                  date=pa.array([DAY(2024, 2, 29), None, DAY(1969, 12, 31), DAY(1, 1, 1), DAY(2100, 1, 1)], pa.date64()),
                  clock=pa.array([1, None, 2, 3, 4], pa.time32("s")),
                  coded=pa.DictionaryArray.from_arrays([1, None, 0, 2, 1], ["x", "y", None]))
    ipc(to("columns.arrow"), kept)
    ipc(to("columns_zstd.ipc"), kept, stream=True, compression="zstd")
    ids = pa.table({"source": U, "target": V})
    texts = pa.table({"source": NAMES_U, "target": LONG_V})
    ipc(to("plain.arrow"), ids)
    ipc(to("stream.ipc"), pa.table({"source": pa.array(U, pa.uint8()), "target": pa.array(V, pa.int16()), "weight": REAL}),
        stream=True)
    data = read(to("stream.ipc"))
    write(to("stream_without_end.ipc"), data[:-8])
    ipc(to("stream_old.ipc"), ids, stream=True, use_legacy_format=True)
    ipc(to("file_old.arrow"), ids, use_legacy_format=True, metadata_version=pa.ipc.MetadataVersion.V4)
    words = pa.array([f"v{i}" for i in range(5)])
    ipc(to("many_rows.arrow"), [pa.record_batch({
        "source": pa.DictionaryArray.from_arrays(pa.array([i] * 20000, pa.int8()), words),
        "target": pa.DictionaryArray.from_arrays(pa.array([i + 1] * 20000, pa.int8()), words)}) for i in range(4)],
        compression="zstd")
    feather.write_feather(slim(ids.append_column("weight", pa.array(REAL, pa.float32()))), to("lz4.feather"), compression="lz4")
    feather.write_feather(slim(texts), to("zstd_texts.feather"), compression="zstd")
    big = [f"vertex number {i % 9}" for i in range(200)]
    ipc(to("lz4_texts.arrow"), [pa.record_batch({"source": big, "target": big[1:] + big[:1]})], compression="lz4")
    ipc(to("large_texts.arrow"), texts.cast(pa.schema([("source", pa.large_string()), ("target", pa.large_string())])))
    views = texts.cast(pa.schema([("source", pa.string_view()), ("target", pa.string_view())]))
    ipc(to("views.arrow"), views.add_column(0, "label", pa.array(LONG_V, pa.string_view())))
    ipc(to("views_zstd.arrow"), views, compression="zstd")
    ipc(to("dictionary.arrow"), [pa.record_batch({"source": pa.DictionaryArray.from_arrays([0, 2], ["a", "unused", "b"]),
        "target": pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.uint8()), ["c", "b"]),
        "weight": pa.DictionaryArray.from_arrays([0, 0], [3, 4])})])

    def coded(index, words):
        return pa.DictionaryArray.from_arrays(index, words)
    ipc(to("dictionary_delta.ipc"), [pa.record_batch({"source": coded([0, 1], ["a", "b"]), "target": ["b", "a"]}),
        pa.record_batch({"source": coded([2, 0], ["a", "b", "c"]), "target": ["a", "c"]})], stream=True,
        emit_dictionary_deltas=True)
    ipc(to("dictionary_replaced.ipc"), [pa.record_batch({"source": coded([0, 1], ["a", "b"]), "target": ["b", "a"]}),
        pa.record_batch({"source": coded([0, 1], ["c", "d"]), "target": ["a", "c"]})], stream=True)
    ipc(to("passed_over.arrow"), pa.table({"list": [[1], [2, 3]], "nested": [{"a": 1, "b": "x"}] * 2, "source": [1, 2],
        "none": pa.nulls(2), "time": pa.array([10**9, 10**9], pa.timestamp("us")), "target": [2, 1], "flag": [True, False],
        "half": pa.array([1.0, 2.0], pa.float16()), "binary": [b"\x00", b"\xff"]}))
    ipc(to("direction.arrow"), pa.table({"source": [1, 2], "target": [2, 1], "type": ["Directed", "directed"]}))
    ipc(to("no_rows.arrow"), [pa.record_batch({"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64())})])
    pd.DataFrame({"source": U, "target": V, "weight": WHOLE}).to_feather(to("pandas.feather"))
    table = pl.DataFrame({"source": NAMES_U, "target": LONG_V, "weight": WHOLE})
    table.write_ipc(to("polars.arrow"))
    table.write_ipc_stream(to("polars_stream.ipc"))
    table.with_columns(pl.col("source").cast(pl.Categorical)).write_ipc(to("polars_categories.arrow"), compression="zstd")


# --- bad ----------------------------------------------------------------------------------------


def first_page(path, column=0):
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(column)
    return chunk.data_page_offset


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def body_of(data, at):
    """Where the bytes of the page begin whose header, a struct of numbers, booleans and structs, is at `at`."""
    depth = 1
    while depth:
        kind = data[at] & 15
        at += 1
        if not kind:
            depth -= 1
        elif kind == 12:
            depth += 1
        elif kind > 2:
            at = varint(data, at)[1]
    return at


def bad_parquet(to, good):
    many = [i % 7 for i in range(100)]
    ids = required(source=many, target=many[::-1])
    plain = to("plain")
    parquet(plain, ids, compression="none", use_dictionary=False, write_statistics=False)
    data = read(plain)
    os.remove(plain)
    write(to("cut_short.parquet"), data[:-5])
    write(to("other.parquet"), b"source,target\n1,2\n")
    write(to("only_magic.parquet"), b"PAR1")
    write(to("encrypted.parquet"), b"PARE" + bytes(12) + b"PARE")
    write(to("footer_too_long.parquet"), data[:-8] + struct.pack("<I", 1 << 30) + b"PAR1")
    footer = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    wrong = data[:]
    wrong[footer + 4] = 0xFF
    write(to("footer_damaged.parquet"), wrong)
    write(to("deep_footer.parquet"), b"PAR1" + b"\x1c" * 4000 + struct.pack("<I", 4000) + b"PAR1")
    wrong = data[:]
    wrong[4:8] = b"\xff\xff\xff\xff"
    write(to("page_header.parquet"), wrong)
    wrong = data[:]
    wrong[10:12] = b"\xfe\x7e"  # the size of the page in the file: 8127
    write(to("page_too_long.parquet"), wrong)

    def damaged(name, codec, change, **options):
        path = to(name)
        options = {"use_dictionary": False, "write_statistics": False, **options}
        parquet(path, options.pop("table", ids), compression=codec, **options)
        body = read(path)
        change(body, body_of(body, first_page(path)))
        write(path, body)

    def put(offset, *values):
        def change(body, at):
            body[at + offset:at + offset + len(values)] = bytes(values)
        return change

    damaged("snappy_length.parquet", "snappy", put(0, 0x85))
    damaged("snappy_copy.parquet", "snappy", put(2, 0x01, 0x01))
    damaged("snappy_literal.parquet", "snappy", put(2, 0xF8, 0xFF, 0xFF))
    damaged("lz4_copy.parquet", "lz4", put(0, 0x0F, 0xFF, 0xFF))
    damaged("lz4_literal.parquet", "lz4", put(0, 0xF0, 0xFF, 0xFF, 0xFF))
    damaged("gzip.parquet", "gzip", put(12, 0xFF, 0xFF, 0xFF))
    damaged("zstd.parquet", "zstd", put(0, 0x00))
    damaged("checksum.parquet", "none", put(9, 0x7F), write_page_checksum=True)
    few = required(source=[1, 2, 3], target=[2, 3, 1])
    damaged("dictionary_index.parquet", "none", put(2, 0xFF), table=few, use_dictionary=True)
    damaged("dictionary_width.parquet", "none", put(0, 0x40), table=few, use_dictionary=True)
    parquet(to("null.parquet"), pa.table({"source": [1, 2, 3, 4], "target": [2, None, 3, 4]}), row_group_size=1)
    parquet(to("null_weight.parquet"), pa.table({"source": [1, 2], "target": [2, 1], "weight": [1.5, None]}))
    parquet(to("nan_weight.parquet"), pa.table({"source": [1, 2], "target": [2, 1], "weight": [1.5, float("nan")]}))
    parquet(to("large_weight.parquet"), pa.table({"source": [1, 2], "target": [2, 1], "weight": [1e39, 1.0]}))
    parquet(to("nested.parquet"), pa.table({"source": [[1], [2]], "target": [2, 1]}))
    parquet(to("brotli.parquet"), ids, compression="brotli")
    parquet(to("real_ids.parquet"), pa.table({"source": [1.0, 2.0], "target": [2.0, 1.0]}))
    parquet(to("mixed_ids.parquet"), pa.table({"source": [1, 2], "target": ["a", "b"]}))
    parquet(to("bytes_ids.parquet"), pa.table({"source": [b"a", b"b"], "target": [b"b", b"a"]}))
    parquet(to("time_weight.parquet"), pa.table({"source": [1], "target": [2], "weight": pa.array([5], pa.timestamp("us"))}))
    parquet(to("text_weight.parquet"), pa.table({"source": [1], "target": [2], "weight": ["5"]}))
    parquet(to("no_ends.parquet"), pa.table({"alpha": [10, 2], "beta": ["x", "y"], "gamma": [[1], [2]]}))
    parquet(to("nul_in_name.parquet"), pa.table({"source": ["a", "b\0c"], "target": ["b", "a"]}))
    parquet(to("large_unsigned.parquet"), pa.table({"source": pa.array([2**63], pa.uint64()), "target": [1]}))
    parquet(to("two_directions.parquet"), pa.table({"source": [1, 2], "target": [2, 1], "type": ["Directed", "Undirected"]}))
    parquet(to("other_direction.parquet"), pa.table({"source": [1, 2], "target": [2, 1], "type": ["Directed", "friend"]}))


def messages(data, at):
    """(place, length of the metadata) of each message."""
    while at + 8 <= len(data) and data[at:at + 4] == b"\xff\xff\xff\xff":
        length = struct.unpack_from("<I", data, at + 4)[0]
        if not length:
            return
        root = at + 8 + struct.unpack_from("<I", data, at + 8)[0]
        vtable = root - struct.unpack_from("<i", data, root)[0]
        slot = struct.unpack_from("<H", data, vtable + 10)[0] if struct.unpack_from("<H", data, vtable)[0] > 10 else 0
        body = struct.unpack_from("<q", data, root + slot)[0] if slot else 0
        yield at, length, at + 8 + length
        at += 8 + length + body


def bad_arrow(to, good):
    ids = pa.table({"source": U, "target": V})
    ipc(to("plain"), ids)
    data = read(to("plain"))
    ipc(to("plain"), ids, stream=True)
    stream = read(to("plain"))
    os.remove(to("plain"))
    write(to("cut_short.arrow"), data[:-7])
    write(to("other.arrow"), b"source,target\n1,2\n")
    write(to("footer_too_long.arrow"), data[:-10] + struct.pack("<I", 1 << 30) + b"ARROW1")
    footer = len(data) - 10 - struct.unpack("<I", data[-10:-6])[0]
    wrong = data[:]
    struct.pack_into("<I", wrong, footer, 1 << 28)
    write(to("footer_damaged.arrow"), wrong)
    batches = list(messages(data, 8))[1:]
    wrong = data[:]
    block = wrong.index(struct.pack("<q", batches[0][0]), footer)
    struct.pack_into("<q", wrong, block, 1 << 40)
    write(to("batch_outside.arrow"), wrong)
    wrong = data[:]
    struct.pack_into("<q", wrong, block, 8)
    write(to("batch_elsewhere.arrow"), wrong)
    wrong = data[:]
    at, length, body = batches[0]
    buffer = wrong.index(struct.pack("<qq", 0, 16), at)
    struct.pack_into("<qq", wrong, buffer, 0, 1 << 50)
    write(to("buffer_outside.arrow"), wrong)
    wrong = data[:]
    struct.pack_into("<qq", wrong, buffer, 0, 8)
    write(to("buffer_too_short.arrow"), wrong)
    write(to("two_streams.ipc"), stream + stream)
    write(to("stream_cut.ipc"), stream[:-20])
    write(to("stream_cut_in_message.ipc"), stream[:list(messages(stream, 0))[1][0] + 30])
    wrong = stream[:]
    root = 8 + struct.unpack_from("<I", wrong, 8)[0]
    header = root + struct.unpack_from("<H", wrong, root - struct.unpack_from("<i", wrong, root)[0] + 8)[0]
    schema = header + struct.unpack_from("<I", wrong, header)[0]
    struct.pack_into("<H", wrong, schema - struct.unpack_from("<i", wrong, schema)[0] + 4, 4)  # now it has an endianness
    write(to("big_endian.ipc"), wrong)
    write(to("feather_1.feather"), b"FEA1" + bytes(20) + b"FEA1")

    def packed(name, codec, change):
        ipc(to(name), [pa.record_batch({"source": [5] * 500, "target": [6] * 500})], compression=codec)
        d = read(to(name))
        at, length, body = list(messages(d, 8))[1]
        change(d, body)
        write(to(name), d)

    packed("lz4_frame.arrow", "lz4", lambda d, b: d.__setitem__(b + 8, 0))
    packed("lz4_copy.arrow", "lz4", lambda d, b: d.__setitem__(slice(b + 19, b + 22), b"\x0f\xff\xff"))
    packed("zstd.arrow", "zstd", lambda d, b: d.__setitem__(b + 8, 0))
    packed("unpacked_size.arrow", "zstd", lambda d, b: struct.pack_into("<q", d, b, 1 << 60))
    packed("negative_size.arrow", "lz4", lambda d, b: struct.pack_into("<q", d, b, -2))

    ipc(to("dictionary_index.arrow"), [pa.record_batch({"source": pa.DictionaryArray.from_arrays([0, 1], ["a", "b"]), "target": ["a", "b"]})])
    d = read(to("dictionary_index.arrow"))
    struct.pack_into("<q", d, list(messages(d, 8))[-1][2], 7)
    write(to("dictionary_index.arrow"), d)
    ipc(to("dictionary_missing.ipc"), [pa.record_batch({"source": pa.DictionaryArray.from_arrays([0, 1], ["a", "b"]), "target": ["a", "b"]})], stream=True)
    d = read(to("dictionary_missing.ipc"))
    m = list(messages(d, 0))
    write(to("dictionary_missing.ipc"), d[:m[1][0]] + d[m[2][0]:])
    ipc(to("text_outside.arrow"), [pa.record_batch({"source": ["a", "b"], "target": ["a", "b"]})])
    d = read(to("text_outside.arrow"))
    struct.pack_into("<i", d, list(messages(d, 8))[1][2] + 8, 1 << 20)
    write(to("text_outside.arrow"), d)
    view = pa.array(["a name beyond twelve bytes", "b"], pa.string_view())
    ipc(to("view_outside.arrow"), [pa.record_batch({"source": view, "target": view})])
    d = read(to("view_outside.arrow"))
    struct.pack_into("<i", d, list(messages(d, 8))[1][2] + 8, 3)
    write(to("view_outside.arrow"), d)
    ipc(to("null.arrow"), pa.table({"source": [1, 2, 3, None], "target": [2, 3, 3, 4]}))
    ipc(to("null_in_dictionary.arrow"), [pa.record_batch({"source": pa.DictionaryArray.from_arrays([0, 1], ["a", None]), "target": ["a", "b"]})])
    ipc(to("nested.arrow"), pa.table({"source": [[1], [2]], "target": [2, 1]}))
    ipc(to("half_weight.arrow"), pa.table({"source": [1], "target": [2], "weight": pa.array([1.5], pa.float16())}))
    ipc(to("real_ids.arrow"), pa.table({"source": [1.5], "target": [2.5]}))
    ipc(to("no_ends.arrow"), pa.table({"alpha": [10, 2], "beta": pa.DictionaryArray.from_arrays([1, 0], ["x", "y"]), "gamma": ["p", "q"]}))


def main():
    data = sys.argv[1]
    for kind, make in (("golden/parquet", golden_parquet), ("golden/arrow", golden_arrow)):
        os.makedirs(f"{data}/{kind}", exist_ok=True)
        make(lambda name, kind=kind: f"{data}/{kind}/{name}")
    for kind, make in (("parquet", bad_parquet), ("arrow", bad_arrow)):
        os.makedirs(f"{data}/bad/{kind}", exist_ok=True)
        make(lambda name, kind=kind: f"{data}/bad/{kind}/{name}", lambda name, kind=kind: f"{data}/golden/{kind}/{name}")


if __name__ == "__main__":
    main()
