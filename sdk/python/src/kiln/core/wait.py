"""Waits for an end that the server reports, with requests that are answered at that end."""

from __future__ import annotations

import math
import time
from typing import Awaitable, Callable, Optional, TypeVar

from .errors import KilnTimeoutError
from .io import Io
from .options import RequestOptions

Value = TypeVar("Value")

#: The longest time that the server holds a request.
_WAIT_SECONDS_MAX = 60
#: Beyond the time that the server holds a request.
_RESPONSE_SECONDS = 30
#: A server that is stopping answers at once.
_INTERVAL_SECONDS_MIN = 0.25
DEADLINE_SECONDS = 600.0


async def wait_until(
    io: Io,
    read: Callable[[int, RequestOptions], Awaitable[Value]],
    has_ended: Callable[[Value], bool],
    deadline_seconds: float,
    max_retries: Optional[float],
) -> Value:
    """Raises KilnTimeoutError with the code DEADLINE if `has_ended` accepts no value in time."""
    ends_at = time.monotonic() + deadline_seconds
    while True:
        started_at = time.monotonic()
        remaining = max(0.001, ends_at - started_at)
        wait = min(math.floor(min(remaining, _WAIT_SECONDS_MAX)), _WAIT_SECONDS_MAX)
        options = RequestOptions(
            timeout_seconds=wait + _RESPONSE_SECONDS,
            deadline_seconds=remaining,
            max_retries=math.inf if max_retries is None else max_retries,
        )
        value = await read(wait, options)
        if has_ended(value):
            return value
        now = time.monotonic()
        if now >= ends_at:
            raise KilnTimeoutError("DEADLINE", f"It has not ended within {deadline_seconds:g} s.")
        await io.sleep(min(started_at + _INTERVAL_SECONDS_MIN, ends_at) - now)
