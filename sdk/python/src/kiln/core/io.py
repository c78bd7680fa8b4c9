"""How the SDK waits: with requests, pauses and files."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import IO, AsyncGenerator, Awaitable, Callable, List, Mapping, Optional, Protocol, Sequence, TypeVar, Union

import httpx

from .request import OpenBytes

Value = TypeVar("Value")
Item = TypeVar("Item")

#: Longer limits are none: sockets refuse them.
_SECONDS_MAX = 1_000_000.0


class Attempt:
    """The time of one attempt."""

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds

    def remaining_seconds(self) -> float:
        """Raises TimeoutError when the time is over."""
        remaining = self._ends_at - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining


@dataclass(frozen=True)
class Sending:
    method: str
    url: str
    headers: Mapping[str, str]
    content: Union[bytes, OpenBytes, None] = None
    follows_redirects: bool = False
    #: The longest silence of the server. Default: the time of the attempt.
    silence_seconds: float = 0

    def timeout(self, attempt: Attempt) -> httpx.Timeout:
        seconds = attempt.remaining_seconds()
        return httpx.Timeout(_limit(seconds), read=_limit(max(seconds, self.silence_seconds)))


def _limit(seconds: float) -> Optional[float]:
    return None if math.isinf(seconds) or seconds > _SECONDS_MAX else seconds


class Reply(Protocol):
    """A response whose body is not read yet."""

    status: int
    headers: httpx.Headers

    def chunks(self) -> AsyncGenerator[bytes, None]: ...
    async def close(self) -> None: ...


class Io(Protocol):
    async def send(self, sending: Sending, attempt: Attempt) -> Reply:
        """Raises what httpx raises."""
        ...

    async def within(self, seconds: float, work: Callable[[], Awaitable[Value]]) -> Value:
        """Raises TimeoutError. A synchronous client only ends what looks at its `Attempt`, and what waits for a socket."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    async def read(self, file: IO[bytes], size_bytes: int) -> bytes: ...

    async def map(
        self, work: Callable[[Item], Awaitable[Value]], items: Sequence[Item], concurrent_max: int
    ) -> List[Value]:
        """Returns the results in the order of the items."""
        ...

    async def close(self) -> None: ...
