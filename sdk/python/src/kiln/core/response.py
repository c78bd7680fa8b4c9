"""Sends one request and reads its response. Each failure becomes an error of the SDK."""

from __future__ import annotations

import json
from typing import Callable, Dict, Optional

import httpx

from .errors import KilnConnectionError, KilnError, api_error_class
from .io import Attempt, Io, Reply, Sending
from .retry import retry_after_seconds_of


async def fetch(io: Io, what: str, sending: Sending, attempt: Attempt, redact: Callable[[str], str]) -> Reply:
    """Returns the response with a status of success, its body unread. Raises a coded error for all others.

    `what` is for messages. It contains no address, because an address can contain a secret.
    """
    try:
        reply = await io.send(sending, attempt)
    except httpx.TimeoutException:
        raise
    except httpx.RequestError as cause:
        raise KilnConnectionError(what) from cause
    if 200 <= reply.status < 300:
        return reply
    fields = _fields_of(await read_all(what, reply, attempt))
    raise api_error_class(reply.status)(
        status=reply.status,
        code=fields.get("code", "UNKNOWN"),
        message=redact(fields.get("error", f"{what} was answered with status {reply.status}.")),
        request_id=fields.get("requestId", reply.headers.get("x-request-id")),
        retry_after_seconds=retry_after_seconds_of(reply.headers.get("retry-after")),
    )


async def read_all(what: str, reply: Reply, attempt: Optional[Attempt]) -> bytes:
    """Closes the response."""
    try:
        parts = []
        async for chunk in reply.chunks():
            if attempt is not None:
                attempt.remaining_seconds()
            parts.append(chunk)
        return b"".join(parts)
    except httpx.TimeoutException:
        raise
    except httpx.RequestError as cause:
        raise KilnConnectionError(what) from cause
    finally:
        await reply.close()


async def read_json(what: str, reply: Reply, attempt: Attempt) -> object:
    content = await read_all(what, reply, attempt)
    try:
        value: object = json.loads(content)
        return value
    except ValueError as cause:
        request_id = reply.headers.get("x-request-id")
        message = f"{what}: the response is not JSON."
        raise KilnError("INVALID_RESPONSE", message, retryable=False, request_id=request_id) from cause


def _fields_of(content: bytes) -> Dict[str, str]:
    """Empty for a body that does not come from Kiln."""
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    if not isinstance(body, dict):
        return {}
    return {name: value for name in ("error", "code", "requestId") if isinstance(value := body.get(name), str)}
