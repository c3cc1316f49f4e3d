"""weftgraph.torch: aggregation with its gradient.  On the CPU; test_gpu.py runs the same on a GPU."""
import pytest
import weftgraph as wg

torch = pytest.importorskip("torch")
from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

DEVICES = ["cpu"] + (["cuda"] if wg.machine()["gpus"] and torch.cuda.is_available() else [])
WAYS = [{"op": "sum"}, {"op": "mean"}, {"op": "mean", "self_loop": True}, {"op": "sum", "normalize": "gcn", "self_loop": True},
        {"op": "max"}, {"op": "max", "self_loop": True}]
# Sums are linear and numbers of 32 bits short: large steps lose nothing, small ones would.
CLOSE = {"eps": 0.0625, "atol": 1e-3, "rtol": 1e-3}


def graphs():
    yield wg.generate.karate()
    yield wg.from_edges([0, 1, 1, 2, 3], [1, 2, 2, 0, 3], vertices=6, duplicates="keep")


def distinct(n, width, device):
    """Numbers that differ by more than a step of the gradient check, so that no maximum changes its owner."""
    order = torch.randperm(n * width, generator=torch.Generator().manual_seed(1))
    return (order.reshape(n, width).float() - 20).to(device)


def by_definition(g, x, op, normalize="none", self_loop=False):
    n = g.vertices
    offsets, targets, _ = (c.tolist() if c is not None else None for c in g.csr())
    arcs = [(u, targets[e]) for u in range(n) for e in range(offsets[u], offsets[u + 1])]
    loops = {u for u, v in arcs if u == v}
    if self_loop:
        arcs += [(v, v) for v in range(n) if v not in loops]
    rows = [[x[u] for u, w in arcs if w == v] for v in range(n)]
    degree = [max(1, len(r)) for r in rows]
    if op == "max":
        return torch.stack([torch.stack(r).amax(0) if r else torch.zeros_like(x[0]) for r in rows])
    if normalize == "gcn":
        sums = [sum((x[u] / (degree[u] * degree[v]) ** 0.5 for u, w in arcs if w == v), torch.zeros_like(x[0])) for v in range(n)]
        return torch.stack(sums)
    return torch.stack([sum(r, torch.zeros_like(x[0])) / (degree[v] if op == "mean" else 1) for v, r in enumerate(rows)])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("how", WAYS, ids=str)
@pytest.mark.filterwarnings("ignore:Input .* requires gradient and is not a double precision")
def test_values_and_gradients(device, how):
    from weftgraph.torch import aggregate

    for g in graphs():
        x = distinct(g.vertices, 3, device).requires_grad_()
        y = aggregate(g, x, **how)
        assert y.device == x.device and y.dtype == x.dtype and y.shape == x.shape and y.requires_grad
        assert torch.allclose(y.cpu(), by_definition(g, x.detach().cpu(), **how), atol=1e-4)
        assert gradcheck(lambda x: aggregate(g, x, **how), (x,), nondet_tol=0.0, **CLOSE)
        if how["op"] != "max":
            assert gradgradcheck(lambda x: aggregate(g, x, **how), (x,), **CLOSE)


@pytest.mark.parametrize("device", DEVICES)
def test_the_bits_are_the_graph_s(device):
    from weftgraph.torch import aggregate

    g = wg.generate.rmat(8)
    x = torch.randn(g.vertices, 5, generator=torch.Generator().manual_seed(2))
    for kind in (torch.float32, torch.float16, torch.bfloat16):
        y = aggregate(g, x.to(device, kind))
        want = g.aggregate(x.to(kind), device="cpu")["f"]
        assert y.dtype == kind and torch.equal(y.cpu(), torch.from_dlpack(want))
    crooked = x.to(device).t().contiguous().t()
    assert torch.equal(aggregate(g, crooked), aggregate(g, x.to(device)))


@pytest.mark.parametrize("device", DEVICES)
def test_a_layer_learns(device):
    """A layer's weights, found from its output by gradient descent."""
    from weftgraph.torch import aggregate

    g = wg.generate.karate()
    random = torch.Generator().manual_seed(3)
    x, w = torch.randn(34, 4, generator=random).to(device), torch.randn(4, 2, generator=random).to(device)
    wanted = aggregate(g, x @ w, normalize="gcn", self_loop=True)
    found = torch.zeros(4, 2, device=device, requires_grad=True)
    optimizer = torch.optim.Adam([found], lr=0.1)
    for _ in range(200):
        optimizer.zero_grad()
        loss = (aggregate(g, x @ found, normalize="gcn", self_loop=True) - wanted).square().mean()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-3


def test_wrong_features_are_refused():
    from weftgraph.torch import aggregate

    g = wg.generate.karate()
    for wrong in (torch.zeros(34, 2, dtype=torch.float64), torch.zeros(34), [[1.0]] * 34):
        with pytest.raises(TypeError, match="features: a tensor of float32, float16 or bfloat16 with two dimensions is needed"):
            aggregate(g, wrong)
    with pytest.raises(wg.ParameterError, match="34"):
        aggregate(g, torch.zeros(33, 2))
    with pytest.raises(ValueError, match="op is one of"):
        aggregate(g, torch.zeros(34, 2), op="median")


def test_tensors_are_taken_without_a_copy():
    from weftgraph import _weft

    x = torch.arange(6)
    assert _weft.dlpack_values(x, None).tolist() == list(range(6))
    assert memoryview(_weft.dlpack_values(x, None)).tolist() == list(range(6))
    assert wg.from_edges(x[:3], x[3:]).edges == wg.from_edges(x[::2], x[1::2]).edges == 3
    assert wg.from_edge_index(x.reshape(2, 3).requires_grad_(False)).edges == 3


def test_tensors_are_copies_of_columns():
    """Torch writes to what is read-only."""
    g = wg.generate.karate()
    column = g.csr()[1]
    before = column.tolist()
    for tensor in (torch.from_dlpack(column), column.to_torch(), torch.from_dlpack(column, copy=True)):
        tensor.fill_(2**31 - 1)
    assert column.tolist() == before and len(g.pagerank()) == 34
    with pytest.raises(BufferError, match="read-only"):
        torch.from_dlpack(column, copy=False)


def test_weights_are_refused():
    from weftgraph.torch import aggregate

    g = wg.from_edges([(0, 1, 2.0), (1, 2, 3.0)])
    with pytest.raises(wg.ParameterError, match="aggregate does not use weights"):
        aggregate(g, torch.ones(3, 1))
    assert aggregate(g.weighted_by(None), torch.ones(3, 1)).tolist() == [[0], [1], [1]]
