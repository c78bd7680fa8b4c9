"""A list of the API: its first page, or all its entries, a page at a time."""

from __future__ import annotations

from typing import (
    Any,
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Coroutine,
    Generator,
    Generic,
    Iterator,
    List,
    Optional,
    Sequence,
    TypeVar,
)

from .run import iterate, run

Page = TypeVar("Page")
Entry = TypeVar("Entry")
LoadPage = Callable[[Optional[str]], Coroutine[Any, Any, Page]]


class _Pages(Generic[Page, Entry]):
    def __init__(self, load: LoadPage[Page], entries_of: Callable[[Page], Sequence[Entry]]) -> None:
        self._load = load
        self._entries_of = entries_of

    async def _pages(self) -> AsyncGenerator[Page, None]:
        cursor: Optional[str] = None
        while True:
            page = await self._load(cursor)
            yield page
            following: Optional[str] = getattr(page, "next_cursor", None)
            if following is None:
                return
            if following == cursor:
                raise RuntimeError("The server returned the same cursor twice.")
            cursor = following

    async def _entries(self) -> AsyncGenerator[Entry, None]:
        async for page in self._pages():
            for entry in self._entries_of(page):
                yield entry

    async def _all(self, limit: int) -> List[Entry]:
        if not limit > 0:
            raise ValueError("limit must be a number above 0")
        found: List[Entry] = []
        async for entry in self._entries():
            found.append(entry)
            if len(found) >= limit:
                break
        return found


class PagedList(_Pages[Page, Entry]):
    """`for entry in list` reads all entries. A page without entries does not end the list; the last page has no cursor."""

    def first_page(self) -> Page:
        return run(self._load(None))

    def pages(self) -> Iterator[Page]:
        return iterate(self._pages())

    def __iter__(self) -> Iterator[Entry]:
        return iterate(self._entries())

    def all(self, *, limit: int) -> List[Entry]:
        """Collects at most `limit` entries."""
        return run(self._all(limit))


class AsyncPagedList(_Pages[Page, Entry]):
    """`await list` is the first page, `async for entry in list` reads all entries. A page without entries does not end the list."""

    def __await__(self) -> Generator[Any, Any, Page]:
        return self._load(None).__await__()

    async def first_page(self) -> Page:
        return await self._load(None)

    def pages(self) -> AsyncIterator[Page]:
        return self._pages()

    def __aiter__(self) -> AsyncIterator[Entry]:
        return self._entries()

    async def all(self, *, limit: int) -> List[Entry]:
        """Collects at most `limit` entries."""
        return await self._all(limit)
