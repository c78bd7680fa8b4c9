"""Reads the server-sent events of a response as they arrive."""

from __future__ import annotations

import codecs
import json
from typing import AsyncGenerator, Dict

import httpx

from .errors import KilnConnectionError, KilnError, KilnTimeoutError
from .io import Io, Reply
from .sse_parser import ServerSentEvent, SseParser

#: Kiln sends a comment every 15 seconds. A connection that is silent for longer than this is lost.
SILENCE_SECONDS_MAX = 60.0
_END = "[DONE]"


async def read_json_events(
    io: Io, what: str, reply: Reply, parser: SseParser, silence_seconds: float = SILENCE_SECONDS_MAX
) -> AsyncGenerator[Dict[str, object], None]:
    """`[DONE]` ends them, and an event of the type `error` is raised. Raises KilnConnectionError if the response ends before `[DONE]`."""
    events = _read_events(io, what, reply, parser, silence_seconds)
    try:
        async for received in events:
            if received.data == _END:
                return
            event = json.loads(received.data)
            if event.get("type") == "error":
                raise _failure_of(event)
            yield event
    finally:
        await events.aclose()
    raise KilnConnectionError(what)


async def _read_events(
    io: Io, what: str, reply: Reply, parser: SseParser, silence_seconds: float
) -> AsyncGenerator[ServerSentEvent, None]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    chunks = reply.chunks()

    async def following() -> bytes:
        return await chunks.__anext__()

    try:
        while True:
            try:
                chunk = await io.within(silence_seconds, following)
            except StopAsyncIteration:
                return
            for event in parser.push(decoder.decode(chunk)):
                yield event
    except (TimeoutError, httpx.TimeoutException) as cause:
        raise KilnTimeoutError("TIMEOUT", f"{what}: nothing arrived for {silence_seconds:g} s.") from cause
    except httpx.RequestError as cause:
        raise KilnConnectionError(what) from cause
    finally:
        await chunks.aclose()
        await reply.close()


def _failure_of(event: Dict[str, object]) -> KilnError:
    code = str(event.get("code"))
    request_id = event.get("requestId")
    return KilnError(
        code,
        str(event.get("error")),
        retryable=code in ("UNAVAILABLE", "RATE_LIMITED"),
        request_id=request_id if isinstance(request_id, str) else None,
    )
