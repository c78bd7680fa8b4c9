"""When a failed attempt is repeated, and after how long: the table of `packages/sdk/retry-vectors.json`."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal, Optional, Union

#: These statuses are repeated, like a connection that fails or breaks off, and an attempt that takes too long.
STATUSES = frozenset({408, 429})
#: Every status from here on as well.
STATUS_MIN = 500
#: The request had no effect, so that it may be repeated without an Idempotency-Key.
REFUSED_STATUSES = frozenset({429})
MAX_RETRIES = 3
DELAY_SECONDS = 0.5
DELAY_FACTOR = 2.0
DELAY_SECONDS_MAX = 8.0
#: The delay is multiplied by a random number from here to 1.
JITTER_MIN = 0.5
#: A server that asks for a longer pause gets no retry.
RETRY_AFTER_SECONDS_MAX = 60


@dataclass(frozen=True)
class NoResponse:
    kind: Literal["connection", "timeout"]


@dataclass(frozen=True)
class Answered:
    status: int
    retry_after_seconds: Optional[int]


Outcome = Union[NoResponse, Answered]


@dataclass(frozen=True)
class Attempted:
    #: 0 after the first attempt.
    retries_done: int
    max_retries: float
    #: Whether a repeat has no second effect: any method but POST, or an Idempotency-Key.
    is_repeatable: bool
    #: The time that is left before the deadline.
    remaining_seconds: float
    #: From 0 to 1.
    random: float


def is_retryable_status(status: int) -> bool:
    return status >= STATUS_MIN or status in STATUSES


def retry_delay_seconds(outcome: Outcome, attempted: Attempted) -> Optional[float]:
    """Returns the pause before the next attempt, or None if there is no other attempt."""
    if attempted.retries_done >= attempted.max_retries or not _is_worth_retrying(outcome):
        return None
    if not attempted.is_repeatable and not _was_refused(outcome):
        return None
    asked = outcome.retry_after_seconds if isinstance(outcome, Answered) else None
    if asked is not None and asked > RETRY_AFTER_SECONDS_MAX:
        return None
    # A wait for a job has no last attempt. It pauses even if the server asks for no pause.
    least = 0.0 if attempted.retries_done < MAX_RETRIES else DELAY_SECONDS
    delay = _back_off_seconds(attempted) if asked is None else max(float(asked), least)
    return delay if delay < attempted.remaining_seconds else None


def _is_worth_retrying(outcome: Outcome) -> bool:
    """The server knows best: `Retry-After` makes any status worth it."""
    if isinstance(outcome, NoResponse):
        return True
    return outcome.retry_after_seconds is not None or is_retryable_status(outcome.status)


def _was_refused(outcome: Outcome) -> bool:
    if isinstance(outcome, NoResponse):
        return False
    return outcome.retry_after_seconds is not None or outcome.status in REFUSED_STATUSES


def _back_off_seconds(attempted: Attempted) -> float:
    # A stream of events retries without end: the power must not grow with it.
    factor = DELAY_FACTOR ** min(attempted.retries_done, 16)
    longest = min(DELAY_SECONDS * factor, DELAY_SECONDS_MAX)
    return longest * (JITTER_MIN + (1 - JITTER_MIN) * attempted.random)


def retry_after_seconds_of(header: Optional[str], now: Optional[float] = None) -> Optional[int]:
    """Reads seconds or an HTTP date (RFC 9110, 10.2.3). Returns None for anything else."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,15}", header.strip()):
        return int(header)
    try:
        at = parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return max(0, math.ceil(at - (time.time() if now is None else now)))
