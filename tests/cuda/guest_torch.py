"""PyTorch and Weft in one process: what is PyTorch's stays as it was.

    guest_torch.py LIBWEFT.SO

Exit code 0: all right, 1: something was not, 77: skipped, with the reason.
"""
import ctypes
import sys
import threading

DEVICE_CPU, DEVICE_CUDA = 1, 2
failures = 0


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def expect(good, what):
    global failures
    print(f"{'ok    ' if good else 'FAILED'} {what}")
    failures += not good


try:
    import torch
except ImportError as why:
    skip(f"no PyTorch ({why})")
if not torch.cuda.is_available():
    skip("PyTorch sees no GPU")

weft = ctypes.CDLL(sys.argv[1])
pointer, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
weft.weft_ctx_message.restype = ctypes.c_char_p
weft.weft_result_f32.restype = ctypes.POINTER(ctypes.c_float)
weft.weft_result_device_column.restype = pointer
for name, arguments in {
    "weft_ctx_new": [pointer],
    "weft_ctx_free": [pointer],
    "weft_ctx_message": [pointer],
    "weft_ctx_set_device": [pointer, ctypes.c_int],
    "weft_ctx_set_stream": [pointer, pointer],
    "weft_ctx_set_results_on_device": [pointer, ctypes.c_int],
    "weft_ctx_trim_device": [pointer],
    "weft_graph_from_edges": [pointer, u64, u64, pointer, pointer, pointer, ctypes.c_int, pointer, pointer],
    "weft_graph_free": [pointer],
    "weft_pagerank": [pointer, pointer, pointer, pointer],
    "weft_result_f32": [pointer, ctypes.c_char_p],
    "weft_result_device_column": [pointer, ctypes.c_char_p],
    "weft_result_free": [pointer],
}.items():
    getattr(weft, name).argtypes = arguments

VERTICES, EDGES = 1 << 18, 1 << 22


class Context:
    def __init__(self, device):
        self.at = pointer()
        assert weft.weft_ctx_new(ctypes.byref(self.at)) == 0
        self.must(weft.weft_ctx_set_device(self.at, device))

    def must(self, status):
        if status:
            raise RuntimeError(weft.weft_ctx_message(self.at).decode())

    def graph(self, sources, targets):
        g = pointer()
        self.must(
            weft.weft_graph_from_edges(self.at, VERTICES, EDGES, sources.data_ptr(), targets.data_ptr(), None, 0, None,
                                       ctypes.byref(g)))
        return g

    def pagerank(self, g):
        r = pointer()
        self.must(weft.weft_pagerank(self.at, g, None, ctypes.byref(r)))
        return r

    def ranks(self, g):
        r = self.pagerank(g)
        values = bytes(ctypes.cast(weft.weft_result_f32(r, b"rank"), ctypes.POINTER(ctypes.c_char * (4 * VERTICES)))[0])
        weft.weft_result_free(r)
        return values

    def free(self):
        weft.weft_ctx_free(self.at)


def state():
    """What PyTorch has: the current device and stream, and its memory."""
    return {
        "current device": torch.cuda.current_device(),
        "current stream": torch.cuda.current_stream().cuda_stream,
        "bytes allocated": torch.cuda.memory_allocated(),
        "bytes reserved": torch.cuda.memory_reserved(),
    }


def default_pool():
    """Threshold and bytes of the process's default pool, by the driver."""
    driver = ctypes.CDLL("libcuda.so.1")
    pool, values = pointer(), {}
    assert driver.cuDeviceGetDefaultMemPool(ctypes.byref(pool), 0) == 0
    for title, attribute in {"release threshold": 4, "reserved": 5}.items():
        value = u64()
        assert driver.cuMemPoolGetAttribute(pool, attribute, ctypes.byref(value)) == 0
        values[f"default pool's {title}"] = value.value
    return values


generator = torch.Generator().manual_seed(42)
sources = torch.randint(0, VERTICES, (EDGES,), generator=generator, dtype=torch.int32)
targets = torch.randint(0, VERTICES, (EDGES,), generator=generator, dtype=torch.int32)
mine = torch.randn(1 << 24, device="cuda")
check = mine.sum().item()
torch.cuda.synchronize()

cpu = Context(DEVICE_CPU)
g = cpu.graph(sources, targets)
want = cpu.ranks(g)

before = {**state(), **default_pool()}
gpu = Context(DEVICE_CUDA)
expect(gpu.ranks(g) == want, "the GPU gives the bytes of the CPU")
after = {**state(), **default_pool()}
for title, value in before.items():
    expect(after[title] == value, f"{title}: {value} before, {after[title]} after")
expect(mine.sum().item() == check, "PyTorch's data are what they were")

# Two threads, two contexts, PyTorch at work on a third.
wrong = []


def again_and_again():
    ctx = Context(DEVICE_CUDA)
    for _ in range(20):
        if ctx.ranks(g) != want:
            wrong.append("other bytes")
    ctx.free()


threads = [threading.Thread(target=again_and_again) for _ in range(2)]
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    if mine.sum().item() != check:
        wrong.append("PyTorch's sum")
        break
for thread in threads:
    thread.join()
expect(not wrong, f"two contexts in two threads beside PyTorch {wrong[:3]}")

# A stream of PyTorch's: what is on it is waited for, and the result can be used on it.
stream = torch.cuda.Stream()
gpu.must(weft.weft_ctx_set_stream(gpu.at, stream.cuda_stream))
gpu.must(weft.weft_ctx_set_results_on_device(gpu.at, 1))
event = torch.cuda.Event()
with torch.cuda.stream(stream):
    torch.cuda._sleep(500_000_000)
    event.record()
expect(not event.query(), "PyTorch's work is under way when Weft is called")
r = gpu.pagerank(g)
expect(event.query(), "Weft's work came after it, on the same stream")
column = weft.weft_result_device_column(r, b"rank")
expect(bool(column), "the column stays on the GPU")
with torch.cuda.stream(stream):
    copy = torch.empty(VERTICES, device="cuda")
    driver = ctypes.CDLL("libcuda.so.1")
    assert driver.cuMemcpyDtoDAsync_v2(u64(copy.data_ptr()), u64(column), ctypes.c_size_t(4 * VERTICES),
                                       pointer(stream.cuda_stream)) == 0
stream.synchronize()  # the copy to the host goes on another one
expect(copy.cpu().numpy().tobytes() == want, "PyTorch reads it there: the same bytes")
weft.weft_result_free(r)

# Memory goes back, also to PyTorch.
del copy
torch.cuda.empty_cache()
free_before = torch.cuda.mem_get_info()[0]
weft.weft_graph_free(g)
gpu.must(weft.weft_ctx_trim_device(gpu.at))
free_after = torch.cuda.mem_get_info()[0]
expect(free_after > free_before, f"trimming gives {(free_after - free_before) >> 20} MiB back")
gpu.free()
cpu.free()
sys.exit(1 if failures else 0)
