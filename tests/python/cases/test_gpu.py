"""Columns on a GPU, and graphs from arrays there: nothing is copied to the host and back unless it must be."""
import pickle

import pytest
import weftgraph as wg
from dlpack_structs import Consumed

np = pytest.importorskip("numpy")
if not wg.machine()["gpus"]:
    pytest.skip(f"no GPU: {wg.machine()['gpu_reason']}", allow_module_level=True)


def ranks(**more):
    return wg.generate.rmat(12).pagerank(device="cuda", on_device=True, **more)


def test_the_gpu_gives_the_bytes_of_the_cpu():
    g = wg.generate.rmat(12)
    for name in ("pagerank", "bfs", "components", "triangles", "kcore"):
        gpu, cpu = getattr(g, name)(device="cuda"), getattr(g, name)(device="cpu")
        assert gpu.device == "cuda" and cpu.device == "cpu"
        assert all(gpu[c].tolist() == cpu[c].tolist() for c in cpu.columns)


def test_a_column_stays_on_the_gpu():
    r = ranks()
    column = r["rank"]
    assert column.on_device and column.__dlpack_device__() == (2, 0)
    there = column.__cuda_array_interface__
    assert there["shape"] == (4096,) and there["typestr"] == "<f4" and there["data"][0] and there["version"] == 3
    assert np.asarray(column).sum() == pytest.approx(1, abs=1e-4)  # comes to the host when it is asked for
    assert not wg.generate.rmat(8).pagerank(device="cpu")["rank"].on_device


def test_columns_there_are_shared_only_with_who_honours_the_flag():
    column = ranks()["rank"]
    taken = Consumed(column.__dlpack__(max_version=(1, 0), copy=None, stream=1))
    assert taken.flags == 1 and taken.tensor.device == 2 and taken.tensor.data == column.__cuda_array_interface__["data"][0]
    taken.end()
    for how in ({}, {"max_version": (1, 0)}, {"copy": True}, {"max_version": (1, 0), "copy": True}):
        with pytest.raises(BufferError, match="read-only, and this one is on the GPU: to_torch"):
            column.__dlpack__(**how)
    here = Consumed(column.__dlpack__(dl_device=(1, 0)))
    assert here.flags is None and here.tensor.device == 1 and here.bytes == 4 * len(column)
    here.scribble()
    here.end()
    assert np.asarray(column).sum() == pytest.approx(1, abs=1e-4)
    again = pickle.loads(pickle.dumps(ranks()))
    assert not again["rank"].on_device and again["rank"].tolist() == column.tolist()


def test_torch_has_copies():
    torch = pytest.importorskip("torch")
    column = ranks()["rank"]
    for tensor in (column.to_torch(), torch.from_dlpack(column)):
        assert tensor.is_cuda and tensor.data_ptr() != column.__cuda_array_interface__["data"][0]
        assert tensor.cpu().numpy().tolist() == column.tolist()
        tensor.fill_(0)
    assert np.asarray(column).sum() == pytest.approx(1, abs=1e-4)
    edges = torch.tensor([[0, 1, 2], [1, 2, 0]], device="cuda")
    g = wg.from_edge_index(edges, num_nodes=3)
    assert g.edges == 3 and g.cycle()["cycle"].tolist() == [0, 1, 2]
    stream = torch.cuda.Stream()
    on_stream = wg.generate.rmat(12).pagerank(device="cuda", on_device=True, stream=stream.cuda_stream)["rank"]
    assert on_stream.tolist() == column.tolist()


def test_cupy_has_copies():
    cupy = pytest.importorskip("cupy")
    column = ranks()["rank"]
    array = column.to_cupy()
    assert array.data.ptr != column.__cuda_array_interface__["data"][0] and array.get().tolist() == column.tolist()
    assert cupy.asarray(column).data.ptr == column.__cuda_array_interface__["data"][0]
    g = wg.from_edges(cupy.array([0, 1]), cupy.array([1, 2]), cupy.array([1.5, 2.5]))
    assert g.edges == 2 and g.weight_type == "f64"


def test_tensors_go_there_without_a_copy():
    torch = pytest.importorskip("torch")
    for x in (torch.arange(6, device="cuda"), torch.ones(4, 3, device="cuda"), torch.ones(4, 3, device="cuda", dtype=torch.bfloat16)):
        column = wg._weft.dlpack_values(x, 1)
        assert column.on_device and column.__dlpack_device__() == (2, 0) and column.shape == tuple(x.shape)
        assert column.__cuda_array_interface__["data"][0] == x.data_ptr()
        again = torch.from_dlpack(column)
        assert again.data_ptr() != x.data_ptr() and again.dtype == x.dtype and torch.equal(again, x)
        with pytest.raises(BufferError, match="tensor is on the GPU"):
            memoryview(column)


def test_cupy_s_arrays_go_there_without_a_copy():
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(12, dtype=cupy.float32).reshape(4, 3)
    column = wg._weft.dlpack_values(x, 1)
    assert column.__cuda_array_interface__["data"][0] == x.data.ptr
    assert cupy.asarray(column).data.ptr == x.data.ptr
    g = wg.from_edges([0, 1, 2], [1, 2, 3], vertices=4)
    f = g.aggregate(x, op="sum", on_device=True)["f"]
    assert f.on_device and cupy.asarray(f).tolist() == [[0, 0, 0], *x[:3].tolist()]


def test_calls_wait_for_the_stream_of_what_they_read():
    """Written by a kernel that has not run yet when the call begins."""
    torch = pytest.importorskip("torch")
    from weftgraph.torch import aggregate

    g, side = wg.generate.rmat(10), torch.cuda.Stream()
    x = torch.rand(g.vertices, 16, device="cuda")
    want = aggregate(g, 2 * x)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(50_000_000)
        y = 2 * x
        got = aggregate(g, y)
        assert torch.equal(got, want)
        torch.cuda._sleep(50_000_000)
        edges = torch.arange(1000, device="cuda") + 5
        h = wg.from_edges(edges[:-1], edges[1:])
    assert h.ids.tolist() == list(range(5, 1005))


def test_memory_is_not_used_again_while_others_read_it():
    """A tensor of ours goes while a kernel that reads it waits; runs that follow must not write there."""
    torch = pytest.importorskip("torch")
    g, side = wg.generate.rmat(14), torch.cuda.Stream()
    want = g.pagerank(device="cuda", on_device=True)["rank"].to_torch().clone()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        ranks = g.pagerank(device="cuda", on_device=True)["rank"].to_torch()
        torch.cuda._sleep(50_000_000)
        late = ranks * 1
        del ranks
    for damping in (0.1, 0.2, 0.3):
        g.pagerank(device="cuda", on_device=True, damping=damping)
    torch.cuda.synchronize()
    assert torch.equal(late, want)


def test_the_program_gives_the_same_bytes(tmp_path):
    import subprocess
    import sys

    g, path, out = wg.generate.rmat(12), tmp_path / "g.weft", tmp_path / "rank.npy"
    g.write(path)
    subprocess.run([sys.executable, "-m", "weftgraph", "pagerank", path, "--device", "cuda", "-o", out, "-q"], check=True)
    assert np.load(out).tobytes() == np.asarray(g.pagerank(device="cuda")["rank"]).tobytes()


def test_what_only_the_cpu_serves_is_said():
    g = wg.generate.rmat(8)
    with pytest.raises(wg.Error, match="CPU"):
        g.kcore(mode="all", device="cuda")
    assert g.kcore(mode="all").device == "cpu"
