"""Where the bytes of an upload come from."""

from __future__ import annotations

import io as standard_io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, AsyncIterator, Callable, ContextManager, Optional, Union

import httpx

from ..core.io import Io
from ..core.request import OpenBytes

#: A `str` is a path. A URL is `httpx.URL("https://…")`.
Uploadable = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes], httpx.URL]
#: What can be read again, for another attempt.
Repeatable = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]

_CHUNK_BYTES = 65_536


@dataclass(frozen=True)
class RepeatableSource:
    #: None for bytes without a name.
    filename: Optional[str]
    size_bytes: int
    open: OpenBytes


@dataclass(frozen=True)
class StreamSource:
    """Bytes of unknown length that can be read once."""

    filename: Optional[str]
    content_type: Optional[str]
    open: OpenBytes


def source_of(io: Io, source: Repeatable) -> Union[RepeatableSource, StreamSource]:
    """Raises TypeError for what has no bytes, and OSError for a path that is no file."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _bytes_source(io, bytes(source))
    if isinstance(source, (str, os.PathLike)):
        return _path_source(io, Path(source))
    if isinstance(source, standard_io.TextIOBase) or not hasattr(source, "read"):
        raise TypeError("The source must be a path, bytes, a file opened with 'rb', or an httpx.URL.")
    return _file_source(io, source)


def _bytes_source(io: Io, content: bytes) -> RepeatableSource:
    return RepeatableSource(None, len(content), lambda: _chunks(io, lambda: standard_io.BytesIO(content)))


def _path_source(io: Io, path: Path) -> RepeatableSource:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not a file")
    return RepeatableSource(path.name, path.stat().st_size, lambda: _chunks(io, lambda: path.open("rb")))


def _file_source(io: Io, file: IO[bytes]) -> Union[RepeatableSource, StreamSource]:
    name = getattr(file, "name", None)
    filename = os.path.basename(name) if isinstance(name, str) else None
    seekable = getattr(file, "seekable", None)
    if seekable is None or not seekable():
        return StreamSource(filename, None, lambda: _rest(io, file))
    start = file.tell()
    size_bytes = file.seek(0, os.SEEK_END) - start

    def again() -> AsyncIterator[bytes]:
        file.seek(start)
        return _rest(io, file)

    file.seek(start)
    return RepeatableSource(filename, size_bytes, again)


async def _chunks(io: Io, opened: Callable[[], ContextManager[IO[bytes]]]) -> AsyncIterator[bytes]:
    with opened() as file:
        async for chunk in _rest(io, file):
            yield chunk


async def _rest(io: Io, file: IO[bytes]) -> AsyncIterator[bytes]:
    while chunk := await io.read(file, _CHUNK_BYTES):
        yield chunk
