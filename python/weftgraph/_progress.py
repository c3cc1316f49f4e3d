"""Progress of long calls: off, or a bar."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

_current: Callable[[str, int, int], None] | None = None


class progress:
    """Shows the progress of long calls.

    `wg.progress()` switches it on, `wg.progress(False)` off; as a context manager, until the end of the block.  It is
    tqdm's bar if tqdm is installed (a widget in notebooks), else a line on standard error.  If a function `(stage,
    done, total)` is given, it is called instead; `total` is 0 if it is not known.  An exception that it raises ends
    the call.
    """

    __slots__ = ("_before",)

    def __init__(self, show: bool | Callable[[str, int, int], None] = True) -> None:
        global _current
        self._before = _current
        _current = (show if callable(show) else _bar()) if show else None

    def __enter__(self) -> "progress":
        return self

    def __exit__(self, *_: object) -> None:
        global _current
        end = getattr(_current, "close", None)
        if end:
            end()
        _current = self._before


def _bar() -> Callable[[str, int, int], None]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _PlainBar()
    return _TqdmBar(tqdm)


class _TqdmBar:
    def __init__(self, tqdm: Any) -> None:
        self.tqdm, self.stage = tqdm, ""
        self.bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self.stage:
            self.close()
            self.stage, self.bar = stage, self.tqdm(total=total or None, desc=stage, unit_scale=True, leave=False)
        self.bar.total = total or None
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar, self.stage = None, ""


class _PlainBar:
    def __init__(self) -> None:
        self.shown = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        import sys

        filled = min(30, 30 * done // total) if total else 0
        bar = f"[{'#' * filled}{' ' * (30 - filled)}] {100 * done // total:3d} %" if total else ""
        text = f"{stage} {bar}"
        sys.stderr.write("\r" + text.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(text)

    def close(self) -> None:
        import sys

        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()
        self.shown = 0
