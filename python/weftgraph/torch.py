"""For PyTorch: aggregation over neighbours, the sparse part of a layer of a graph neural network, with its gradient.

Tensors stay on their device: nothing is copied between CPU and GPU, and runs on a GPU use torch's current stream.
"""
from __future__ import annotations

import torch
from torch.autograd.function import once_differentiable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from .graph import Graph

__all__ = ["aggregate"]

_TYPES = (torch.float32, torch.float16, torch.bfloat16)


def aggregate(graph: Graph, features: torch.Tensor, *, op: Literal["sum", "mean", "max"] = "mean",
              normalize: Literal["none", "gcn"] = "none", self_loop: bool = False, threads: int | None = None,
              memory_limit: int | str | None = None) -> torch.Tensor:
    """For each vertex the mean, sum or maximum of its in-neighbours' rows of `features`: a tensor of the same shape,
    type and device, that torch can differentiate (twice, except the maximum).  The numbers are those of
    `Graph.aggregate`, the same bits on CPU and GPU.

    Args:
        graph: row v of the features belongs to its vertex v, in the order of `graph.ids`
        features: float32, float16 or bfloat16, with a row for each vertex
        op: the function of the neighbours' rows; without neighbours the result is zero
        normalize: 'gcn' is the sum of x[u] / sqrt(d[u] d[v]) instead, d the number of in-neighbours
        self_loop: a vertex without a loop counts among its own neighbours, once
        threads, memory_limit: as everywhere
    """
    if not isinstance(features, torch.Tensor) or features.dtype not in _TYPES or features.dim() != 2:
        what = f"{features.dtype} with {features.dim()}" if isinstance(features, torch.Tensor) else type(features).__name__
        raise TypeError(f"features: a tensor of float32, float16 or bfloat16 with two dimensions is needed, not {what}")
    how = {"op": op, "normalize": normalize, "self_loop": self_loop, "threads": threads, "memory_limit": memory_limit}
    return _Maximum.apply(features, graph, how) if op == "max" else _Linear.apply(features, graph, how, False)


class _Linear(torch.autograd.Function):
    """Sums and means: the gradient of the one direction is the other direction."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, graph: Graph, how: dict, backward: bool) -> torch.Tensor:
        ctx.rest = graph, how, not backward
        return _run(graph, x, backward=backward, **how)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return _Linear.apply(gradients[0], *ctx.rest), None, None, None


class _Maximum(torch.autograd.Function):
    """The gradient goes to the vertex that supplied the maximum."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, graph: Graph, how: dict) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.rest = graph, how
        return _run(graph, x, **how)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Any) -> Any:
        graph, how = ctx.rest
        return _run(graph, gradients[0], backward=True, forward=ctx.saved_tensors[0].detach().contiguous(), **how), None, None


def _run(graph: Graph, x: torch.Tensor, **how: Any) -> torch.Tensor:
    x = x.detach().contiguous()
    if not x.is_cuda:
        return _own(graph.aggregate(x, device="cpu", **how))
    stream = torch.cuda.current_stream(x.device).cuda_stream or 1  # torch calls CUDA's default stream 0
    r = graph.aggregate(x, device="cuda", gpu=x.device.index or 0, on_device=True, stream=stream, **how)
    return _own(r)


def _own(result: Any) -> torch.Tensor:
    """The column of a result that is used nowhere else, and so may be written to."""
    return torch.from_dlpack(result["f"].tensor(False, False, None))
