"""What goes to other libraries and comes back: types that count, ids as they were given, missing values, pickles, files that are not there."""
import contextlib
import copy
import datetime
import decimal
import enum
import errno
import fractions
import io
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
import weftgraph as wg

np = pytest.importorskip("numpy")


def test_matrices_count_paths():
    sparse = pytest.importorskip("scipy.sparse")
    hub = wg.from_edges([0] * 300 + list(range(1, 301)), list(range(1, 301)) + [301] * 300)
    assert hub.to_scipy().dtype == np.float64
    for kind in (None, "f64", "i64", np.int64, "int64"):
        a = hub.to_scipy(kind)
        assert (a @ a)[0, 301] == 300 and isinstance(a, sparse.csr_array)
    assert hub.to_scipy("i64").dtype == hub.to_scipy(int).dtype == np.int64
    weighted = wg.from_edges([0, 1], [1, 0], [3, 4])
    assert weighted.to_scipy().dtype == np.uint32 and weighted.to_scipy("f64").data.tolist() == [3, 4]
    assert wg.from_edges([0], [1], [0.5]).to_scipy().dtype == np.float64
    with pytest.raises(TypeError):
        hub.to_scipy("counts")


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Odd:
    """Two of them are never equal, and all say that they are 7."""

    def __index__(self):
        return 7

    def __float__(self):
        return 7.0


def test_ids_are_not_merged_by_what_they_can_become():
    large = decimal.Decimal(2**70)
    for ids in ([large, large + 1, decimal.Decimal("0.1")], [fractions.Fraction(1, 3), fractions.Fraction(2, 3), fractions.Fraction(10**30)],
                [Odd(), Odd(), Odd()], [1, 2.5, 2], [Colour.RED, Colour.BLUE, 5], [True, 2, 3], [np.float64(1.5), 2, 3],
                [2**53, float(2**53 + 2), 2**53 + 1], [np.timedelta64(1, "s"), np.timedelta64(2, "s"), np.timedelta64(3, "s")]):
        g = wg.from_edges(ids, ids[1:] + ids[:1])
        assert g.vertices == 3 and [type(x) for x in g.ids] == [type(x) for x in ids] and g.ids.tolist() == ids
        assert g.bfs(ids[1]).to_dict("level")[ids[0]] == 2
        assert wg.from_edges(ids[:1], ids[:1], vertices=ids).vertices == 3
        assert wg.from_edges(tuple(zip(ids, ids[1:]))).edges == 2
    assert wg.from_edges([np.int32(5), 6], [6, np.uint8(7)]).ids.tolist() == [5, 6, 7]
    days = np.array(["2020-01-01", "2021-01-01"], "M8[ns]")
    assert wg.from_edges(days, days[::-1]).ids.tolist() == list(days)
    with pytest.raises(wg.InputError, match="edge 1: the source is missing"):
        wg.from_edges(np.array(["2020-01-01", "NaT"], "M8[D]"), days)
    assert wg.from_edges([0], [1], [decimal.Decimal("0.5")]).csr()[2].tolist() == [0.5]  # weights may become numbers
    with pytest.raises(wg.InputError, match="edge 1: the weight is missing: None"):
        wg.from_edges([0, 1], [1, 2], [1.5, None])
    with pytest.raises(TypeError):
        wg.from_edges([0], [1]).bfs(sources=[decimal.Decimal(1)])


FRAMES = """
    import sys
    if {hidden}:
        sys.modules["pyarrow"] = None
    import decimal, numpy, pandas, weftgraph as wg
    columns = dict(
        mixed=["a", 1, ("b", 2)], sets=[frozenset("a"), frozenset("b"), frozenset("ab")], large=[2**70, 2**70 + 1, 5],
        period=pandas.period_range("2020-01", periods=3, freq="M"), day=pandas.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"]),
        zoned=pandas.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"]).tz_localize("UTC"), span=pandas.to_timedelta([1, 2, 3], "s"),
        between=pandas.interval_range(0, 3), text=["x", "y", "z"], nullable=pandas.array([7, 8, 9], "Int64"), bytes=[b"a", b"b", b"c"],
        category=pandas.Categorical(["u", "v", "w"]), numbers=numpy.array([4, 5, 6], "i2"), real=[0.5, 1.5, 2.5],
        decimal=[decimal.Decimal(1), decimal.Decimal("1.5"), decimal.Decimal(2)])
    for name, values in columns.items():
        frame = pandas.DataFrame(dict(source=values, target=values))
        frame["target"] = frame["target"].iloc[[1, 2, 0]].array
        g = wg.from_pandas(frame)
        assert set(g.ids) == set(frame["source"].tolist()), name
        print(name, g.edges, [(type(x).__name__, str(x) if not isinstance(x, frozenset) else sorted(x)) for x in g.ids])
    for values in ([1, None, 3], ["a", None, "c"], pandas.array([1, None, 3], "Int64"), pandas.to_datetime(["2020-01-01", None, "2022-01-01"]),
                   pandas.PeriodIndex(["2020-01", None, "2021-01"], freq="M")):
        try:
            wg.from_pandas(pandas.DataFrame(dict(source=values, target=[1, 2, 3])))
        except wg.InputError as error:
            print(error)
    weights = pandas.DataFrame(dict(source=[1, 2], target=[2, 3], weight=pandas.array([4, None], "Int64")))
    try:
        wg.from_pandas(weights)
    except wg.InputError as error:
        print(error)
"""


def test_data_frames_are_the_same_without_pyarrow():
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(textwrap.dedent(FRAMES.format(hidden=False)), {})
    without = subprocess.run([sys.executable, "-c", textwrap.dedent(FRAMES.format(hidden=True))], capture_output=True, text=True)
    assert without.returncode == 0 and without.stdout == said.getvalue(), without.stderr
    assert without.stdout.count("\n") == 21 and without.stdout.count("edge 1: the") == 6
    assert "period 3 [('Period', '2020-01')" in without.stdout and "large 3 [('int', '1180591620717411303424')" in without.stdout


def test_columns_of_polars_and_arrow_that_are_no_numbers():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    days = [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]
    sums = [decimal.Decimal("1.50"), decimal.Decimal("2.50")]
    for values in (days, sums, [True, False], [b"a", b"b"]):
        for column in (pl.Series(values), pa.array(values)):
            assert wg.from_edges(column, values[::-1]).ids.tolist() == values
    kinds = pl.Series(["x", "y"], dtype=pl.Categorical)
    assert wg.from_edges(kinds, kinds).ids.tolist() == ["x", "y"]


# --- missing values ---


def test_what_was_not_reached_is_missing():
    pd, pl, pa = pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for ids, kind in (([10, 20, 30], "Int64"), (["a", "b", "c"], None), ([(1,), (2,), (3,)], None)):
        g = wg.from_edges(ids[:1], ids[1:2], vertices=ids)
        for r in (g.bfs(ids[0]), g.bfs(ids[0], top=3), pickle.loads(pickle.dumps(g.bfs(ids[0])))):
            frame = r.to_pandas()
            assert frame["level"].isna().tolist() == frame["parent"].isna().tolist() == [False, False, True]
            assert str(frame["level"].dtype) == "Int64" and frame["level"].mean() == 0.5
            assert kind is None or (str(frame["parent"].dtype) == kind and frame["parent"].dropna().tolist() == [10, 10])
            assert pd.isna(r["level"].to_pandas()[2]) and len(r["level"].to_pandas()) == 3
            levels = [1, 0, None] if r["id"].tolist() == [ids[1], ids[0], ids[2]] else [0, 1, None]  # the first rows are the farthest
            assert pa.array(r["level"]).to_pylist() == r["level"].to_arrow().to_pylist() == r["level"].to_polars().to_list() == levels
            if kind is not None or ids[0] == "a":  # Arrow has no type for tuples
                assert r.to_arrow()["level"].to_pylist() == levels and r.to_arrow()["parent"].null_count == 1
                assert pl.DataFrame(r)["level"].to_list() == levels and r.to_polars()["level"].mean() == 0.5
            assert r["level"].tolist() == r["level"].to_numpy().tolist() == [*levels[:2], wg.UNREACHED]
    whole = wg.generate.karate().bfs(1)
    assert str(whole.to_pandas()["level"].dtype) == "Int64" and whole["level"].to_arrow().null_count == 0
    assert whole.to_pandas()["parent"].dtype == np.int64
    assert wg.from_edges([0, 1, 2], [1, 0, 0]).toposort().to_pandas()["position"].isna().tolist() == [True, True, False]
    assert pa.array(g.bfs(ids[0]).vertices("parent")).to_pylist() == [0, 0, None]
    apart = g.run(("bfs", {"source": ids[0]}), "degree")
    assert apart.to_pandas()["level"].isna().sum() == 1


def test_data_frames_can_be_written_to():
    pd = pytest.importorskip("pandas")
    g = wg.generate.karate()
    r = g.run("pagerank", ("bfs", {"source": 1}), "components")
    frame, before = r.to_pandas(), r["rank"].tolist()
    for name in frame.columns:
        frame.loc[0, name] = 1
        series = r[name].to_pandas()
        series.iloc[0] = 1
    assert frame.iloc[0].tolist() == [1] * len(frame.columns) and r["rank"].tolist() == before
    rows = g.aggregate(np.ones((34, 2), np.float32)).to_pandas()["f"]
    rows[0][:] = 5
    assert g.aggregate(np.ones((34, 2), np.float32), top=2).to_pandas()["f"].tolist()[0] == [1, 1]
    pairs = wg.from_edges([((1, 2), (3, 4))]).components(top=2)
    assert pairs.to_pandas()["component"].tolist() == [(1, 2), (1, 2)] and pairs["component"].to_numpy().shape == (2,)
    for take in (pd.DataFrame, np.asarray):
        with pytest.raises(TypeError, match="a table is no array; to_pandas"):
            take(g.pagerank())


# --- pickles ---


def ranks_of(scale):
    return wg.generate.rmat(scale).pagerank()


def test_results_pickle():
    graphs = [wg.generate.karate(), wg.from_edges(["a", "b", "é"], ["b", "c", "\udcff"]), wg.from_edges([((1, 2), "x"), ("x", 2.5)])]
    for g in graphs:
        first = g.ids[0]
        runs = [g.pagerank(), g.bfs(first), g.components(), g.degree(), g.aggregate(np.ones((len(g), 2), np.float16)), *([g.cycle()] if g.directed else []),
                g.bfs(sources=[first, g.ids[1]]), g.pagerank(top=2), g.components(top=1), g.run("pagerank", "kcore"), g.pagerank(verify=True)]
        for r in runs:
            again = pickle.loads(pickle.dumps(r))
            assert type(again) is type(r) and repr(again) == repr(r) and again._repr_html_() == r._repr_html_() and len(again) == len(r)
            assert [c.tolist() for c in again._columns.values()] == [r[name].tolist() for name in r]
            assert again.columns == r.columns and pickle.loads(pickle.dumps(again)).columns == r.columns
        r, again = g.pagerank(verify=True), pickle.loads(pickle.dumps(g.pagerank(verify=True)))
        assert again.scalars == r.scalars and again.verified == r.verified and again["rank"].to_numpy().dtype == np.float32
        assert list(again.top(2).rows()) == list(r.top(2).rows()) and again.vertices("rank").tolist() == r["rank"].tolist()
        assert list(pickle.loads(pickle.dumps(g.components())).sizes().rows()) == list(g.components().sizes().rows())
        assert np.asarray(again["rank"]).tolist() == r["rank"].tolist() and np.from_dlpack(again["rank"]).shape == (len(g),)
        with pytest.raises(ValueError, match="comes from a pickle"):
            again.graph
        with pytest.raises(ValueError, match="only the first rows are here"):
            pickle.loads(pickle.dumps(g.pagerank(top=2))).top(1)
        assert copy.deepcopy(r).graph is copy.copy(r).graph is g
    top = graphs[0].pagerank(top=5)
    assert top.top(2)["id"].tolist() == [34, 1] and list(top.top(1).rows()) == list(top.rows())[:1]
    assert len(pickle.dumps(wg.generate.rmat(12).pagerank(top=3))) < 2000


def test_results_come_from_other_processes():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for scale, r in zip((6, 7), pool.map(ranks_of, (6, 7))):
            assert r["rank"].tolist() == ranks_of(scale)["rank"].tolist() and r.iterations > 1
        back = pool.submit(wg.Graph.pagerank, wg.generate.karate()).result()
    assert back.top(1)["id"].tolist() == [34]


@pytest.mark.parametrize("damage", [
    {0: 5}, {1: "x"}, {1: "é"}, {1: "qq"}, {1: "z"}, {2: -1}, {2: 5}, {2: 2**62}, {3: -1}, {3: 2}, {3: 2**62}, {4: b""}, {4: None}, {4: b"x" * 9},
    {5: b"12345678"}, {5: 7}, {6: b""}, {6: "x"}], ids=str)
def test_damaged_columns_are_refused(damage):
    numbers, text = wg.from_edges([5], [7]).ids, wg.from_edges(["a"], ["bc"]).ids
    for column in (numbers, text):
        parts = list(column.pack())
        assert wg._weft.unpack_column(*parts).tolist() == column.tolist()
        for i, value in damage.items():
            parts[i] = value
        if parts != list(column.pack()):
            with pytest.raises((ValueError, TypeError, OverflowError)):
                wg._weft.unpack_column(*parts)
    name, *parts = text.pack()
    for starts in ([0, 4, 3], [0, 1, 2], [1, 2, 3], [0, 2**63, 3]):
        if starts != [1, 2, 3]:  # the first name need not be at the beginning
            with pytest.raises(ValueError, match="the column is damaged"):
                wg._weft.unpack_column(name, *parts[:4], np.array(starts, "u8").tobytes(), None, False)


# --- files ---


def test_files_that_are_not_there(tmp_path):
    path = tmp_path / "none: cannot.txt"
    (tmp_path / "list.txt").write_text("1 2\n")
    for call, where in ((lambda: wg.read(path), path), (lambda: wg.Dynamic(path.with_suffix(".weft")), path.with_suffix(".weft")),
                        (lambda: wg.generate.karate().write(path / "g.tsv"), path / "g.tsv"),
                        (lambda: wg.read(tmp_path / "list.txt", nodes=tmp_path / "nodes.txt"), tmp_path / "nodes.txt")):
        with pytest.raises(FileNotFoundError) as caught:
            call()
        error = caught.value
        assert isinstance(error, wg.FileError) and error.errno == errno.ENOENT and error.filename == str(where)
        assert error.strerror == "No such file or directory" and str(error).startswith(f"{where}: ")
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error) and again.errno == error.errno and again.filename == error.filename
    (tmp_path / "folder").mkdir()
    with pytest.raises((IsADirectoryError, wg.Error)):
        wg.read(tmp_path / "folder")
    with pytest.raises(wg.FileError, match="Not a directory") as caught:
        wg.read(tmp_path / "list.txt" / "x")
    assert caught.value.errno == errno.ENOTDIR


def test_a_header_is_there_or_not(tmp_path):
    (tmp_path / "a.csv").write_text("u,v\n1,2\n")
    with pytest.raises(ValueError, match="header is one of None, True, False, not 'yes'"):
        wg.read(tmp_path / "a.csv", header="yes")
    with pytest.raises(ValueError, match="header is one of"):
        wg.read(tmp_path / "a.csv", header=[])
