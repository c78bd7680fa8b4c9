"""Sends bytes to a signed URL. A store replaces the object as a whole, so a repeat has no second effect."""

from __future__ import annotations

from typing import Mapping, Optional

from ..core.attempts import run_attempts
from ..core.errors import KilnApiError, api_error_class
from ..core.io import Attempt, Sending
from ..core.options import RequestOptions
from ..core.response import fetch, read_all
from ..core.transport import Core
from .source import RepeatableSource
from .upload_options import OnProgress, counted, sending_options

_WHAT = "Sending the bytes of the file"
_REFUSED = "The object store refused the bytes."


async def put_bytes(
    core: Core,
    url: str,
    headers: Mapping[str, str],
    source: RepeatableSource,
    options: Optional[RequestOptions],
    on_progress: Optional[OnProgress],
) -> None:
    limits = core.limits_of(sending_options(options, source.size_bytes))
    # A store does not accept a body of unknown length.
    sent_headers = {**headers, "content-length": str(source.size_bytes)}
    content = counted(source.open, source.size_bytes, on_progress)

    async def attempt(timed: Attempt) -> None:
        sending = Sending("PUT", url, sent_headers, content)
        try:
            reply = await fetch(core.io, _WHAT, sending, timed, lambda _: _REFUSED)
        except KilnApiError as error:
            raise _refusal(error) from None
        await read_all(_WHAT, reply, timed)

    await run_attempts(core.io, _WHAT, limits, True, attempt)


def _refusal(error: KilnApiError) -> KilnApiError:
    return api_error_class(error.status)(
        status=error.status,
        code="UPLOAD_REFUSED",
        message=f"{_REFUSED} Status: {error.status}.",
        request_id=error.request_id,
        retry_after_seconds=error.retry_after_seconds,
    )
