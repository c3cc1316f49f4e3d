"""Loads the extension, and with it GCC's OpenMP runtime, unless another package already has.

A thread that waits for others looks 300,000 times, 10 ms on x86, before it sleeps: on cores that are busy otherwise it takes
these ms from those that it waits for.  The runtime reads its settings when it is loaded; nobody else is to see ours.
"""
import os

_ours = "OMP_WAIT_POLICY" not in os.environ and "GOMP_SPINCOUNT" not in os.environ
if _ours:
    os.environ["GOMP_SPINCOUNT"] = "4000" if os.uname().machine in ("x86_64", "i686") else "100000"
try:
    from . import _weft as _weft
finally:
    if _ours:
        del os.environ["GOMP_SPINCOUNT"]
