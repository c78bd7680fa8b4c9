"""Waits in the event loop of asyncio or trio."""

from __future__ import annotations

from typing import IO, AsyncGenerator, Awaitable, Callable, Dict, List, Optional, Sequence

import anyio
import anyio.to_thread
import httpx

from .io import Attempt, Item, Reply, Sending, Value


class AsyncReply:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = response.headers

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        async for chunk in self._response.aiter_bytes():
            yield chunk

    async def close(self) -> None:
        await self._response.aclose()


class AsyncIo:
    def __init__(self, client: Optional[httpx.AsyncClient]) -> None:
        self._client = client or httpx.AsyncClient()
        self._is_own = client is None

    async def send(self, sending: Sending, attempt: Attempt) -> Reply:
        content = sending.content
        request = self._client.build_request(
            sending.method,
            sending.url,
            headers=dict(sending.headers),
            content=content() if callable(content) else content,
            timeout=sending.timeout(attempt),
        )
        response = await self._client.send(request, stream=True, follow_redirects=sending.follows_redirects)
        return AsyncReply(response)

    async def within(self, seconds: float, work: Callable[[], Awaitable[Value]]) -> Value:
        with anyio.fail_after(seconds):
            return await work()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(max(0.0, seconds))

    async def read(self, file: IO[bytes], size_bytes: int) -> bytes:
        return await anyio.to_thread.run_sync(file.read, size_bytes)

    async def map(
        self, work: Callable[[Item], Awaitable[Value]], items: Sequence[Item], concurrent_max: int
    ) -> List[Value]:
        results: Dict[int, Value] = {}
        failures: List[Exception] = []
        left = iter(enumerate(items))

        async def work_through() -> None:
            for at, item in left:
                try:
                    results[at] = await work(item)
                except Exception as failure:
                    failures.append(failure)

        async with anyio.create_task_group() as group:
            for _ in range(concurrent_max):
                group.start_soon(work_through)
        if failures:
            raise failures[0]
        return [results[at] for at in range(len(items))]

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()
