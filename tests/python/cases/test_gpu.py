"""Columns on a GPU, and graphs from arrays there: nothing is copied to the host and back unless it must be."""
import pytest
import weftgraph as wg

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


def test_torch_shares_the_memory():
    torch = pytest.importorskip("torch")
    column = ranks()["rank"]
    tensor = column.to_torch()
    assert tensor.is_cuda and tensor.data_ptr() == column.__cuda_array_interface__["data"][0]
    assert tensor.cpu().numpy().tolist() == column.tolist()
    edges = torch.tensor([[0, 1, 2], [1, 2, 0]], device="cuda")
    g = wg.from_edge_index(edges, num_nodes=3)
    assert g.edges == 3 and g.cycle()["cycle"].tolist() == [0, 1, 2]
    stream = torch.cuda.Stream()
    on_stream = wg.generate.rmat(12).pagerank(device="cuda", on_device=True, stream=stream.cuda_stream)["rank"]
    assert on_stream.tolist() == column.tolist()


def test_cupy_shares_the_memory():
    cupy = pytest.importorskip("cupy")
    column = ranks()["rank"]
    array = column.to_cupy()
    assert array.data.ptr == column.__cuda_array_interface__["data"][0]
    g = wg.from_edges(cupy.array([0, 1]), cupy.array([1, 2]), cupy.array([1.5, 2.5]))
    assert g.edges == 2 and g.weight_type == "f64"


def test_what_only_the_cpu_serves_is_said():
    g = wg.generate.rmat(8)
    with pytest.raises(wg.Error, match="CPU"):
        g.kcore(mode="all", device="cuda")
    assert g.kcore(mode="all").device == "cpu"
