"""Repeats an attempt as the retry table says, within the limits of the request."""

from __future__ import annotations

import random
import time
from typing import Awaitable, Callable, Optional, TypeVar

import httpx

from .errors import KilnApiError, KilnError, KilnTimeoutError
from .io import Attempt, Io
from .options import Limits
from .retry import Answered, Attempted, NoResponse, Outcome, retry_delay_seconds

Value = TypeVar("Value")


async def run_attempts(
    io: Io, what: str, limits: Limits, is_repeatable: bool, attempt: Callable[[Attempt], Awaitable[Value]]
) -> Value:
    """`what` is for messages: `GET /v1/files`. Raises the error of the last attempt."""
    ends_at = time.monotonic() + limits.deadline_seconds
    retries_done = 0
    while True:
        remaining = ends_at - time.monotonic()
        try:
            return await _timed(io, what, limits, remaining, attempt)
        except KilnError as error:
            outcome = outcome_of(error)
            if outcome is None:
                raise
            delay = retry_delay_seconds(
                outcome,
                Attempted(
                    retries_done=retries_done,
                    max_retries=limits.max_retries,
                    is_repeatable=is_repeatable,
                    remaining_seconds=ends_at - time.monotonic(),
                    random=random.random(),  # noqa: S311
                ),
            )
            if delay is None:
                raise
        await io.sleep(delay)
        retries_done += 1


async def _timed(
    io: Io, what: str, limits: Limits, remaining: float, attempt: Callable[[Attempt], Awaitable[Value]]
) -> Value:
    is_last = remaining <= limits.timeout_seconds
    seconds = max(0.0, remaining) if is_last else limits.timeout_seconds
    timed = Attempt(seconds)
    try:
        return await io.within(seconds, lambda: attempt(timed))
    except (TimeoutError, httpx.TimeoutException) as cause:
        if is_last:
            text = f"{what} was not answered within {limits.deadline_seconds:g} s, retries included."
            raise KilnTimeoutError("DEADLINE", text) from cause
        raise KilnTimeoutError("TIMEOUT", f"{what} was not answered within {seconds:g} s.") from cause


def outcome_of(error: KilnError) -> Optional[Outcome]:
    """None for an error that no retry changes."""
    if isinstance(error, KilnApiError):
        return Answered(error.status, error.retry_after_seconds)
    if not error.retryable or error.code == "DEADLINE":
        return None
    return NoResponse("timeout" if isinstance(error, KilnTimeoutError) else "connection")
