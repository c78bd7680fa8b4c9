from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List

import httpx
import pytest

from kiln import AsyncKiln, Kiln

from .scripted_server import ScriptedServer


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    started = ScriptedServer()
    yield started
    started.close()


class Clients:
    """Lets a test call both clients in the same way."""

    def __init__(self, kind: str, url: str, api_key: str = "kiln_test_secret") -> None:
        self._kind = kind
        self.options: Dict[str, Any] = {"base_url": url, "api_key": api_key}
        self._loop = asyncio.new_event_loop()
        self._closing: List[Callable[[], Any]] = []

    def kiln(self, **options: Any) -> Any:
        given = {**self.options, **options}
        # Reading the certificates of the machine takes long. Loopback needs neither them nor a proxy.
        if self._kind == "sync":
            http_client: Any = httpx.Client(verify=False, trust_env=False)
            self._closing.append(http_client.close)
            return Kiln(http_client=http_client, **given)
        http_client = httpx.AsyncClient(verify=False, trust_env=False)
        self._closing.append(http_client.aclose)
        return AsyncKiln(http_client=http_client, **given)

    def of(self, result: Any) -> Any:
        """The result of a method."""
        if self._kind == "sync":
            return result

        async def awaited() -> Any:
            return await result

        return self._loop.run_until_complete(awaited())

    def take(self, values: Any, count: int) -> List[Any]:
        """Leaves a loop after some values, and closes what is looped over."""
        found: List[Any] = []
        if self._kind == "sync":
            for value in values:
                found.append(value)
                if len(found) == count:
                    break
        else:
            self.of(_take(values, count, found))
        if hasattr(values, "close"):
            self.of(values.close())
        return found

    def all(self, values: Any) -> List[Any]:
        return self.take(values, -1)

    @contextmanager
    def repeating(self, work: Callable[[Kiln], object]) -> Iterator[None]:
        """Repeats something in a thread until the end of the block."""
        is_over = threading.Event()

        def repeat() -> None:
            with Kiln(**self.options) as kiln:
                while not is_over.wait(0.2):
                    work(kiln)

        with ThreadPoolExecutor(1) as pool:
            repeated = pool.submit(repeat)
            try:
                yield
            finally:
                is_over.set()
                repeated.result()

    def close(self) -> None:
        for close in self._closing:
            self.of(close())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


async def _take(values: Any, count: int, found: List[Any]) -> None:
    async for value in values:
        found.append(value)
        if len(found) == count:
            break


@pytest.fixture(params=["sync", "async"])
def clients(request: pytest.FixtureRequest, server: ScriptedServer) -> Iterator[Clients]:
    made = Clients(request.param, server.url)
    yield made
    made.close()
