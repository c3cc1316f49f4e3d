"""python -m weftgraph: the program weft, which is part of the extension module."""
import os
import sys


def main() -> None:
    from . import _weft

    code = _weft.program(["weft", *sys.argv[1:]])
    sys.stdout.flush()
    os._exit(code)  # the program has its own signal handlers, and closed what it wrote to


if __name__ == "__main__":
    main()
