"""The two clients."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

import httpx

from ..generated.resources import AsyncResources, Resources
from .async_io import AsyncIo
from .credentials import Bearer, Credentials
from .options import RequestOptions
from .run import run
from .sync_io import SyncIo
from .transport import Core


class Kiln(Resources):
    """A client of the Kiln API that blocks. Threads can share it.

    Give one of `api_key`, `bearer` (a JWT, or a function that returns one before each attempt) and `portal_token`. `http_client` takes the
    place of its own, for example for a proxy. Raises ValueError for options that cannot work.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: Optional[str] = None,
        bearer: Optional[Bearer] = None,
        portal_token: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
        deadline_seconds: Optional[float] = None,
        max_retries: Optional[float] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        credentials = Credentials(api_key=api_key, bearer=bearer, portal_token=portal_token)
        options = RequestOptions(timeout_seconds, deadline_seconds, max_retries)
        self._core = Core(SyncIo(http_client), base_url, credentials, options)
        super().__init__(self._core)

    def close(self) -> None:
        """Closes the connections, unless they are those of `http_client`."""
        run(self._core.io.close())

    def __enter__(self) -> Kiln:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncKiln(AsyncResources):
    """A client of the Kiln API for asyncio and trio, with the methods of `Kiln` to await.

    Give one of `api_key`, `bearer` (a JWT, or a function that returns one before each attempt, to await or not) and `portal_token`.
    `http_client` takes the place of its own, for example for a proxy. Raises ValueError for options that cannot work.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: Optional[str] = None,
        bearer: Optional[Bearer] = None,
        portal_token: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
        deadline_seconds: Optional[float] = None,
        max_retries: Optional[float] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        credentials = Credentials(api_key=api_key, bearer=bearer, portal_token=portal_token)
        options = RequestOptions(timeout_seconds, deadline_seconds, max_retries)
        self._core = Core(AsyncIo(http_client), base_url, credentials, options)
        super().__init__(self._core)

    async def close(self) -> None:
        """Closes the connections, unless they are those of `http_client`."""
        await self._core.io.close()

    async def __aenter__(self) -> AsyncKiln:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
