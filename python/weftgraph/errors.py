"""The library's failures as exceptions.  The message is the library's; input errors also have a position."""
from __future__ import annotations


class Error(Exception):
    """A failure of the library."""


class ParameterError(Error, ValueError):
    """A parameter is out of range, or the parameters contradict each other."""


class InputError(Error, ValueError):
    """A file, or its content, is invalid.  `path`, `line` and `column` are the position as far as it is known; both
    count from 1."""

    path: str | None = None
    line: int | None = None
    column: int | None = None


class FileError(Error, OSError):
    """The system refused to open, read or write.  errno, strerror and filename are set as far as they are known; the
    error for a file that does not exist is a `FileNotFoundError` as well, and so on."""

    _sentence: str | None = None

    def __str__(self) -> str:
        return self._sentence if self._sentence is not None else super().__str__()


class MissingFileError(FileError, FileNotFoundError):
    """The file does not exist."""


class ForbiddenFileError(FileError, PermissionError):
    """Permission denied for the file or its folder."""


class FolderError(FileError, IsADirectoryError):
    """A folder where a file is needed."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory, or over the memory limit."""


class DeviceError(Error, RuntimeError):
    """No usable GPU, or the GPU failed."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but not supported."""


class NotFoundError(Error, LookupError):
    """No such vertex, column, format or algorithm."""


class VerificationError(Error, AssertionError):
    """A result does not satisfy the definition of its algorithm."""


class WeftWarning(UserWarning):
    """A remark about the input or the result that is not a failure."""


# In the order of weft_status, from WEFT_EINVAL on; WEFT_ECANCELLED only comes with an exception of Python's own.
_KINDS = (ParameterError, InputError, FileError, OutOfMemoryError, DeviceError, KeyboardInterrupt, UnsupportedError,
          NotFoundError)


# Parameters of the library with another name in Python.
_WORDS = {"`direction=directed`": "`directed=True`", "`direction=undirected`": "`directed=False`"}


def counted(count: int, one: str, several: str | None = None) -> str:
    """For example "1 value", "2 values"."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def _in_python(message: str) -> str:
    for theirs, ours in _WORDS.items():
        message = message.replace(theirs, ours)
    return message


def _make(status: int, message: str) -> BaseException:
    message = _in_python(message)
    kind = _KINDS[status - 1] if 1 <= status <= len(_KINDS) else Error
    if kind is FileError:
        return _file_error(message)
    error = kind(message)
    if isinstance(error, InputError):
        _say_where(error, message)
    return error


def _file_error(message: str) -> FileError:
    """FILE: cannot open: REASON, where the reason is one of the system's."""
    import errno
    import os

    head, _, reason = message.rpartition(": ")
    number = next((n for n in errno.errorcode if os.strerror(n) == reason), None) if head else None
    if number is None:
        return FileError(message)
    path, told, doing = head.rpartition(": cannot ")
    kinds = {errno.ENOENT: MissingFileError, errno.EACCES: ForbiddenFileError, errno.EPERM: ForbiddenFileError, errno.EISDIR: FolderError}
    error = kinds.get(number, FileError)(number, reason, path if told and ":" not in doing else head)
    error._sentence = message
    return error


def _say_where(error: InputError, message: str) -> None:
    """Sets the position from file:line:column: at the beginning of the message."""
    head, _, rest = message.partition(": ")
    parts = head.rsplit(":", 2)
    if rest and len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        error.path, error.line, error.column = parts[0], int(parts[1]), int(parts[2])
    elif rest and len(parts) >= 2 and parts[-1].isdigit():
        error.path, error.line = head.rsplit(":", 1)[0], int(parts[-1])
    elif rest:
        error.path = head


def _warn(message: str) -> None:
    import sys
    import warnings

    level, frame = 2, sys._getframe(0).f_back
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(_in_python(message), WeftWarning, stacklevel=level)
