"""A response that is read while it arrives. `with` closes its connection at the end of the block."""

from __future__ import annotations

from types import TracebackType
from typing import AsyncGenerator, AsyncIterator, Generic, Iterator, Optional, Type, TypeVar

from .run import iterate

Value = TypeVar("Value")


class Stream(Generic[Value]):
    """To loop over once."""

    def __init__(self, values: AsyncGenerator[Value, None]) -> None:
        self._values = iterate(values)

    def __iter__(self) -> Iterator[Value]:
        return self._values

    def close(self) -> None:
        self._values.close()

    def __enter__(self) -> Stream[Value]:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncStream(Generic[Value]):
    """To loop over once. Python ends the request of a loop that was left later, unless it stands in an `async with`."""

    def __init__(self, values: AsyncGenerator[Value, None]) -> None:
        self._values = values

    def __aiter__(self) -> AsyncIterator[Value]:
        return self._values

    async def close(self) -> None:
        await self._values.aclose()

    async def __aenter__(self) -> AsyncStream[Value]:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
