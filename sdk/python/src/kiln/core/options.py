"""What a caller can set, for the client and for each request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .retry import MAX_RETRIES

TIMEOUT_SECONDS = 60.0
DEADLINE_SECONDS = 300.0


@dataclass(frozen=True)
class RequestOptions:
    """Limits of a request. None means the value of the client."""

    #: The time of one attempt, from the connection to the last byte of the response. Default 60.
    timeout_seconds: Optional[float] = None
    #: The time of all attempts and the pauses between them. Default 300.
    deadline_seconds: Optional[float] = None
    #: How often a request is repeated. Default 3. With 0 it is sent once.
    max_retries: Optional[float] = None
    #: Identifies a POST over several calls. Default: a random key for each call, the same for all its attempts.
    idempotency_key: Optional[str] = None


@dataclass(frozen=True)
class Limits:
    """Limits without gaps."""

    timeout_seconds: float = TIMEOUT_SECONDS
    deadline_seconds: float = DEADLINE_SECONDS
    max_retries: float = MAX_RETRIES


def limits_of(options: RequestOptions, *defaults: RequestOptions) -> Limits:
    """The first of several options that is given counts. Raises ValueError for a value below 0."""

    def pick(name: str, last: float) -> float:
        values = (getattr(one, name) for one in (options, *defaults))
        value: float = next((one for one in values if one is not None), last)
        if not value >= 0:
            raise ValueError(f"{name} must be a number from 0")
        return value

    return Limits(
        timeout_seconds=pick("timeout_seconds", TIMEOUT_SECONDS),
        deadline_seconds=pick("deadline_seconds", DEADLINE_SECONDS),
        max_retries=pick("max_retries", MAX_RETRIES),
    )
