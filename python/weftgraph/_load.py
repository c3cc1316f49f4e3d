"""Loads the extension, and with it GCC's OpenMP runtime, unless another package already has.

A waiting thread spins 300,000 times, 10 ms on x86, before it sleeps: on cores with other work it takes this time from
the threads that it waits for.  The runtime reads its settings when it is loaded; the environment is restored
afterwards.
"""
import posix
import sys

_names = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
_set = sys.modules["os"].environ if "os" in sys.modules else [name.decode("latin-1") for name in posix.environ]
_ours = not any(name in _set for name in _names)
if _ours:
    posix.putenv("GOMP_SPINCOUNT", "10000" if posix.uname().machine in ("x86_64", "i686") else "100000")
try:
    from . import _weft as _weft
finally:
    if _ours:
        posix.unsetenv("GOMP_SPINCOUNT")
