"""Limits and progress of an upload."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, AsyncIterator, Callable, Dict, Mapping, Optional

from ..core.options import RequestOptions
from ..core.request import OpenBytes
from ..generated.params import UploadFields

_TIMEOUT_SECONDS_MIN = 60
_BYTES_PER_SECOND_MIN = 50_000
_STREAM_TIMEOUT_SECONDS = 3_600


@dataclass(frozen=True)
class UploadProgress:
    sent_bytes: int
    #: None for a stream.
    total_bytes: Optional[int]


OnProgress = Callable[[UploadProgress], None]


def sending_options(options: Optional[RequestOptions], size_bytes: Optional[int]) -> RequestOptions:
    """Sending bytes takes longer than other requests: 60 seconds, and a second for each 50 kB; an hour for a stream."""
    given = options or RequestOptions()
    rated = _STREAM_TIMEOUT_SECONDS if size_bytes is None else _TIMEOUT_SECONDS_MIN + size_bytes / _BYTES_PER_SECOND_MIN
    return replace(
        given,
        timeout_seconds=rated if given.timeout_seconds is None else given.timeout_seconds,
        deadline_seconds=math.inf if given.deadline_seconds is None else given.deadline_seconds,
    )


def registering_options(options: Optional[RequestOptions]) -> Optional[RequestOptions]:
    """The limits of an upload are those of sending its bytes."""
    return options and replace(options, timeout_seconds=None, deadline_seconds=None)


def counted(open_bytes: OpenBytes, total_bytes: Optional[int], on_progress: Optional[OnProgress]) -> OpenBytes:
    """Passes the bytes on, and reports how many there were. After a lost connection it begins again at 0."""
    if on_progress is None:
        return open_bytes
    report = on_progress

    async def counting() -> AsyncIterator[bytes]:
        sent = 0
        async for chunk in open_bytes():
            yield chunk
            sent += len(chunk)
            report(UploadProgress(sent, total_bytes))

    return counting


def checked_fields(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """Without the fields that are None. Raises TypeError for a name that an upload does not have."""
    unknown = set(fields) - set(UploadFields.__annotations__)
    if unknown:
        raise TypeError(f"An upload has no field {sorted(unknown)[0]}.")
    return {name: value for name, value in fields.items() if value is not None}
