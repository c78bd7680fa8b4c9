"""Blocks instead of waiting. Its coroutines end with their first step: see `run`."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, List, Optional, Sequence, cast

import httpx

from .io import Attempt, Item, Reply, Sending, Value
from .run import iterate, run


class SyncReply:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = response.headers

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        for chunk in self._response.iter_bytes():
            yield chunk

    async def close(self) -> None:
        self._response.close()


class SyncIo:
    def __init__(self, client: Optional[httpx.Client]) -> None:
        self._client = client or httpx.Client()
        self._is_own = client is None

    async def send(self, sending: Sending, attempt: Attempt) -> Reply:
        content = sending.content
        request = self._client.build_request(
            sending.method,
            sending.url,
            headers=dict(sending.headers),
            content=_timed(iterate(cast(AsyncGenerator[bytes, None], content())), attempt)
            if callable(content)
            else content,
            timeout=sending.timeout(attempt),
        )
        response = self._client.send(request, stream=True, follow_redirects=sending.follows_redirects)
        return SyncReply(response)

    async def within(self, seconds: float, work: Callable[[], Awaitable[Value]]) -> Value:
        return await work()

    async def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))  # noqa: ASYNC251

    async def read(self, file: IO[bytes], size_bytes: int) -> bytes:
        return file.read(size_bytes)

    async def map(
        self, work: Callable[[Item], Awaitable[Value]], items: Sequence[Item], concurrent_max: int
    ) -> List[Value]:
        def run_one(item: Item) -> Value:
            return run(cast("Coroutine[Any, Any, Value]", work(item)))

        with ThreadPoolExecutor(concurrent_max) as pool:
            return list(pool.map(run_one, items))

    async def close(self) -> None:
        if self._is_own:
            self._client.close()


def _timed(chunks: Iterator[bytes], attempt: Attempt) -> Iterator[bytes]:
    for chunk in chunks:
        attempt.remaining_seconds()
        yield chunk
