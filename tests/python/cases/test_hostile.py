"""Objects that lie, fail or change their minds: an exception, never a crash.  make sanitize-python runs these under AddressSanitizer."""
import ctypes
import gc
import os
import pathlib
import subprocess
import sys

import pytest
import weftgraph as wg
from dlpack_structs import DELETER, Managed, Tensor, Versioned
from weftgraph import _weft

np = pytest.importorskip("numpy")
HERE = pathlib.Path(__file__).parents[1]


def test_hostile_objects():
    class Loud:
        def __hash__(self):
            raise RuntimeError("no hash")

    class Fickle:
        def __eq__(self, other):
            raise RuntimeError("no comparison")

        def __hash__(self):
            return 1

    with pytest.raises(RuntimeError, match="no hash"):
        wg.from_edges([Loud()], [2])
    with pytest.raises(RuntimeError, match="no comparison"):
        wg.from_edges([Fickle(), Fickle()], [1, 2])
    with pytest.raises(TypeError):
        wg.from_edges([[1]], [2])
    with pytest.raises((TypeError, ValueError)):
        wg.from_edges(memoryview(b"abcd").cast("B", (2, 2)), [1, 2])
    with pytest.raises(TypeError):
        wg._weft.plan(3, "bfs", {}, {})
    g = wg.from_edges([1], [2])
    with pytest.raises(ValueError, match="top is 0 or more"):
        g.degree(top=-1)
    with pytest.raises(ValueError, match="sources names no vertex"):
        g.bfs(sources=[])
    with pytest.raises(ValueError, match="directed is True, False or None, not 'x'"):
        wg.from_edges([1], [2], directed="x")


def test_arrays_that_are_no_plain_numbers():
    two = np.array([1, 2])
    assert wg.from_edges(np.broadcast_to(np.int64(7), 2), two).edges == 2
    assert wg.from_edges(two.astype(">i4"), two).edges == 2
    crooked = np.frombuffer(b"x" + two.tobytes(), "u1")[1:].view("i8")
    assert not crooked.flags.aligned and wg.from_edges(crooked, crooked, crooked).ids.tolist() == [1, 2]
    rows = wg.from_csr(np.frombuffer(b"x" + np.array([0, 1, 2]).tobytes(), "u1")[1:].view("i8"), crooked - 1, copy=False)
    assert rows.arcs == 2
    assert wg.from_edges(np.array([True, False]), np.array([False, False])).edges == 2
    for wrong in (np.array(["2020-01-01", "2021-01-01"], "M8[D]"), np.zeros(2, [("a", "i4"), ("b", "f4")]), np.array([1j, 2])):
        try:
            assert wg.from_edges(wrong, two).edges == 2  # as objects
        except (TypeError, ValueError):
            pass
    for wrong in (np.array(5), np.zeros((2, 2), int), np.zeros((2, 0))):
        with pytest.raises((TypeError, ValueError)):
            wg.from_edges(wrong, two)
    with pytest.raises((TypeError, ValueError)):
        wg.generate.karate().aggregate(np.zeros((34, 2, 1), np.float32))
    with pytest.raises(wg.Error):
        wg.generate.karate().aggregate(np.zeros((34, 0), np.float32))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is Python 3.12's")
def test_buffers_that_change_their_minds():
    class Fickle:
        def __init__(self):
            self.asked = 0

        def __buffer__(self, flags):
            self.asked += 1
            return memoryview(bytes(8 * (100 if self.asked == 1 else 1))).cast("q")

    try:
        wg.from_edges(Fickle(), Fickle())
    except ValueError:
        pass

    class Never:
        def __buffer__(self, flags):
            raise RuntimeError("no buffer")

    with pytest.raises(RuntimeError, match="no buffer"):
        wg.from_edges(Never(), [1])


def cuda_array(**more):
    told = {"shape": (2,), "typestr": "<i8", "data": (4096, True), "version": 3, **more}
    return type("There", (), {"__cuda_array_interface__": {k: v for k, v in told.items() if v is not ...}})()


@pytest.mark.parametrize("damage", [
    {"shape": ...}, {"shape": ()}, {"shape": (2, 2)}, {"shape": (-1,)}, {"shape": ("x",)}, {"shape": 2}, {"typestr": ...},
    {"typestr": "<c16"}, {"typestr": ""}, {"typestr": None}, {"typestr": 8}, {"data": ...}, {"data": 5}, {"data": (0, True)},
    {"data": (None, True)}, {"strides": (16,)}, {"strides": "x"}, {"mask": object()}], ids=str)
def test_arrays_on_a_gpu_that_lie(damage):
    with pytest.raises(TypeError, match="sources: a contiguous array of numbers with one dimension is needed"):
        wg.from_edges(cuda_array(**damage), [1, 2])


def test_an_array_on_a_gpu_needs_one():
    if wg.machine()["gpus"]:
        pytest.skip("there is a GPU")
    with pytest.raises(wg.DeviceError):
        wg.from_edges(cuda_array(), cuda_array())


# --- DLPack ---


class Source:
    """A tensor of two rows with three numbers each, and what becomes of it."""

    def __init__(self, version=None, name=None, shape=(2, 3), strides=None, **more):
        self.data, self.deleted = (ctypes.c_float * 6)(*range(6)), 0
        self.shape = (ctypes.c_int64 * max(1, len(shape)))(*shape)
        self.strides = (ctypes.c_int64 * len(strides))(*strides) if strides else None
        told = {"data": ctypes.addressof(self.data), "device": 1, "ndim": len(shape), "code": 2, "bits": 32, "lanes": 1, **more}
        tensor = Tensor(shape=self.shape, strides=self.strides, **told)
        self.name = (name or ("dltensor" if version is None else "dltensor_versioned")).encode()
        end = DELETER(self.delete)
        self.managed = Managed(tensor, None, end) if version is None else Versioned(version, 0, None, end, 0, tensor)

    def delete(self, at):
        assert at == ctypes.addressof(self.managed)
        self.deleted += 1

    def __dlpack__(self, **ignored):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.managed), self.name, None)
        return self.capsule


@pytest.mark.parametrize("version", [None, 1])
def test_tensors_are_shown_and_deleted_once(version):
    for source in (Source(version), Source(version, strides=(3, 1)), Source(version, strides=(7, 1), shape=(1, 3))):
        column = _weft.dlpack_values(source, None)
        assert column.shape[1] == 3 and column[0] == [0, 1, 2] and source.deleted == 0
        view = memoryview(column)
        del column
        gc.collect()
        assert view.nbytes and source.deleted == 0
        del view
        assert source.deleted == 1
        with pytest.raises(ValueError):  # the capsule was used
            _weft.dlpack_values(type("Again", (), {"__dlpack__": lambda self, **_: source.capsule})(), None)
    assert _weft.dlpack_values(Source(shape=(0,), data=None), None).tolist() == []
    plain = Source()
    plain.managed.deleter = DELETER()
    assert len(_weft.dlpack_values(plain, None)) == 2


@pytest.mark.parametrize("damage", [
    {"version": 2}, {"shape": ()}, {"shape": (1, 2, 3)}, {"shape": (-1, 3)}, {"shape": (2, -3)}, {"shape": (2**62, 3)},
    {"shape": (2**40, 2**40)}, {"shape": (2, 0)}, {"strides": (1, 2)}, {"strides": (-3, 1)}, {"strides": (0, 0)}, {"data": None},
    {"code": 5}, {"code": 2, "bits": 128}, {"bits": 4}, {"lanes": 4}, {"device": 10}, {"device": 0}, {"ndim": -1}, {"ndim": 2**31 - 1},
    {"shape": (2,), "ndim": 3}], ids=str)
def test_tensors_that_lie_are_refused_and_deleted(damage):
    source = Source(**damage)
    with pytest.raises(BufferError, match="^the tensor "):
        _weft.dlpack_values(source, None)
    assert source.deleted == 1


def test_objects_without_a_tensor():
    for answer in (None, 5, "dltensor"):
        with pytest.raises((TypeError, ValueError)):
            _weft.dlpack_values(type("Odd", (), {"__dlpack__": lambda self, answer=answer, **_: answer})(), None)
    with pytest.raises(ValueError):
        _weft.dlpack_values(Source(name="tensor"), None)
    with pytest.raises(AttributeError):
        _weft.dlpack_values(3, None)
    source = Source()
    old = type("Old", (), {"__dlpack__": lambda self: source.__dlpack__()})
    assert _weft.dlpack_values(old(), None).shape == (2, 3)


def hammer(name, rounds):
    """Another process, which a crash would end.  WEFT_HAMMER_ROUNDS: so many instead."""
    rounds = os.environ.get("WEFT_HAMMER_ROUNDS", rounds)
    done = subprocess.run([sys.executable, "-W", "ignore", "-X", "faulthandler", HERE / name, rounds], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith(rounds + " rounds"), done.stderr


def test_damaged_arrow_arrays():
    hammer("hammer_arrow.py", "2000")


def test_hostile_calls():
    hammer("hammer_calls.py", "300")
