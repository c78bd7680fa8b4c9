"""Sends the requests of the generated methods."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from typing import AsyncGenerator, Awaitable, Callable, Optional, TypeVar

from ..generated.version import API_VERSION
from .attempts import run_attempts
from .credentials import Credentials
from .io import Attempt, Io, Reply, Sending
from .options import Limits, RequestOptions, limits_of
from .paging import LoadPage
from .read_events import SILENCE_SECONDS_MAX, read_json_events
from .request import Request
from .response import fetch, read_all, read_json
from .sse_parser import SseParser
from .urls import checked_base_url, path_of, query_of

Value = TypeVar("Value")
#: Makes a value of the SDK from JSON.
Reader = Callable[[object], Value]

_NONE = RequestOptions()
#: Kiln ends a question after two minutes.
_SLOW = RequestOptions(timeout_seconds=150)


class Core:
    def __init__(self, io: Io, base_url: str, credentials: Credentials, options: RequestOptions) -> None:
        self.io = io
        self._base_url = checked_base_url(base_url)
        self._credentials = credentials
        self._options = options
        limits_of(options)

    def limits_of(self, options: Optional[RequestOptions]) -> Limits:
        return limits_of(options or _NONE, self._options)

    async def json(self, request: Request, reader: Reader[Value], options: Optional[RequestOptions]) -> Value:
        async def read(reply: Reply, attempt: Attempt) -> object:
            return await read_json(request.what, reply, attempt)

        return reader(await self._send(request, options, read))

    async def content(self, request: Request, options: Optional[RequestOptions]) -> bytes:
        async def read(reply: Reply, attempt: Attempt) -> bytes:
            return await read_all(request.what, reply, attempt)

        return await self._send(request, options, read)

    def pages(self, request: Request, reader: Reader[Value], options: Optional[RequestOptions]) -> LoadPage[Value]:
        async def load(cursor: Optional[str]) -> Value:
            if cursor is None:
                return await self.json(request, reader, options)
            query = {**(request.query or {}), "cursor": cursor}
            return await self.json(replace(request, query=query), reader, options)

        return load

    async def events(
        self, request: Request, reader: Reader[Value], options: Optional[RequestOptions]
    ) -> AsyncGenerator[Value, None]:
        """The parts of a streamed answer."""
        body = {**(request.body or {}), "stream": True}
        reply = await self.open(replace(request, body=body), options)
        parts = read_json_events(self.io, request.what, reply, SseParser())
        try:
            async for part in parts:
                yield reader(part)
        finally:
            await parts.aclose()

    async def open(self, request: Request, options: Optional[RequestOptions]) -> Reply:
        """Returns as soon as the headers have arrived. The body is not read."""

        async def read(reply: Reply, attempt: Attempt) -> Reply:
            return reply

        headers = {"accept": "text/event-stream", **request.headers}
        return await self._send(replace(request, headers=headers), options, read, SILENCE_SECONDS_MAX)

    async def _send(
        self,
        request: Request,
        options: Optional[RequestOptions],
        read: Callable[[Reply, Attempt], Awaitable[Value]],
        silence_seconds: float = 0,
    ) -> Value:
        given = options or _NONE
        limits = limits_of(given, self._options, _SLOW if request.is_slow else _NONE)
        is_sent_once = request.stream is not None and not request.is_stream_repeatable
        if is_sent_once:
            limits = replace(limits, max_retries=0)
        url = self._base_url + path_of(request.path, request.parameters) + query_of(request.query)
        key = (given.idempotency_key or str(uuid.uuid4())) if request.is_keyed else None
        body = None if request.body is None else json.dumps(request.body).encode()

        async def attempt(timed: Attempt) -> Value:
            headers = {
                "accept": "application/json",
                "user-agent": f"kiln-sdk-python/{API_VERSION}",
                **({} if body is None else {"content-type": "application/json"}),
                **({} if key is None else {"idempotency-key": key}),
                **request.headers,
                "authorization": await self._credentials.header(),
            }
            content = request.stream or body
            sending = Sending(request.method, url, headers, content, silence_seconds=silence_seconds)
            return await read(await fetch(self.io, request.what, sending, timed, self._credentials.redact), timed)

        is_repeatable = not is_sent_once and (request.method != "POST" or request.is_keyed)
        return await run_attempts(self.io, request.what, limits, is_repeatable, attempt)
