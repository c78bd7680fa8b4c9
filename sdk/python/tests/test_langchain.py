from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from typing import Any, AsyncIterator, Callable, Dict, List, Set, Tuple

import httpx
import pytest
from langchain_core.documents import Document

from kiln import ForbiddenError, ServerError
from kiln.generated.files import Files
from kiln.generated.search import Search
from kiln.langchain import KilnLoader, KilnRetriever
from kiln.testing import FakeServer, RecordedRequest, problem

KINDS = ["sync", "async", "async in a thread"]
RESULT: Dict[str, Any] = {
    "file_id": "file_1",
    "chunk_index": 3,
    "score": 0.9,
    "snippet": "<mark>ten</mark> years",
    "chunk_text": "ten years",
    "chunk_text_truncated": False,
    "text": "ten years",
    "page": 2,
    "regions": [{"page": 2, "x": 0, "y": 0, "width": 1, "height": 0.1}],
    "headings": ["Zephyr", "Warranty"],
    "filename": "zephyr.pdf",
    "metadata": {"year": "2026"},
}


def retrieved(kind: str, fake: FakeServer, **fields: Any) -> List[Document]:
    if kind == "sync":
        return KilnRetriever(kiln=fake.kiln(), **fields).invoke("warranty")
    async_kiln = fake.async_kiln() if kind == "async" else None
    return asyncio.run(KilnRetriever(kiln=fake.kiln(), async_kiln=async_kiln, **fields).ainvoke("warranty"))


def loaded(kind: str, fake: FakeServer, **options: Any) -> List[Document]:
    if kind == "sync":
        return KilnLoader(kiln=fake.kiln(), **options).load()
    async_kiln = fake.async_kiln() if kind == "async" else None
    return asyncio.run(KilnLoader(kiln=fake.kiln(), async_kiln=async_kiln, **options).aload())


@pytest.mark.parametrize("kind", KINDS)
def test_the_retriever_searches_chunks_and_returns_them_with_their_places(kind: str) -> None:
    fake = FakeServer({"POST /v1/search": lambda _: {"results": [RESULT], "served": ["text"]}})
    search = {"space": "a", "mode": "text", "limit": 2, "rerank": True, "filter": {"metadata.year": {"gte": 2020}}}
    [found] = retrieved(kind, fake, search=search, tags=["t"], metadata={"run": 1})
    assert [request.body for request in fake.requests] == [{**search, "query": "warranty", "group": "chunk"}]
    assert (found.id, found.page_content) == ("file_1:3", "ten years")
    assert found.metadata == {
        "file_id": "file_1",
        "chunk_index": 3,
        "score": 0.9,
        "chunk_text_truncated": False,
        "page": 2,
        "regions": RESULT["regions"],
        "headings": ["Zephyr", "Warranty"],
        "filename": "zephyr.pdf",
        "file_metadata": {"year": "2026"},
        "served": ["text"],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_the_retriever_raises_the_error_of_the_api(kind: str) -> None:
    with pytest.raises(ForbiddenError):
        retrieved(kind, FakeServer({"POST /v1/search": lambda _: problem(403, "FORBIDDEN")}))


def chunks(request: RecordedRequest) -> Any:
    if "file_1/" not in request.path:
        return problem(404, "NOT_FOUND")
    index = 1 if "cursor=" in request.path else 0
    chunk = {"index": index, "text": f"chunk {index}", "start": 0, "end": 7, "page": 1, "regions": [], "headings": []}
    return {"chunks": [chunk], "next_cursor": None if index == 1 else "1"}


def files(request: RecordedRequest) -> Any:
    def file(id: str) -> Dict[str, Any]:
        return {"id": id, "filename": f"{id}.md", "space": "a", "status": "completed", "size_bytes": 1}

    if "cursor=next" in request.path:
        return {"files": [file("file_3")], "next_cursor": None}
    return {"files": [file("file_1"), file("file_2")], "next_cursor": "next"}


def markdown(request: RecordedRequest) -> Any:
    return problem(404, "NOT_FOUND") if "file_2" in request.path else {"content": "# Text\n", "content_url": ""}


HANDLERS = {
    "GET /v1/files": files,
    "GET /v1/files/:id/variants/markdown": markdown,
    "GET /v1/files/:id/chunks": chunks,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_loader_reads_the_markdown_of_all_pages_without_files_that_have_none(kind: str) -> None:
    fake = FakeServer(HANDLERS)
    found = loaded(kind, fake, files={"space": "a"})
    assert [document.id for document in found] == ["file_1", "file_3"]
    assert found[0].page_content == "# Text\n"
    assert (found[0].metadata["file_id"], found[0].metadata["filename"]) == ("file_1", "file_1.md")
    assert fake.requests[0].path == "/v1/files?space=a"


@pytest.mark.parametrize("kind", KINDS)
def test_the_loader_reads_all_chunks_of_a_file_with_their_places(kind: str) -> None:
    found = loaded(kind, FakeServer(HANDLERS), per="chunk")
    assert [(document.id, document.page_content) for document in found] == [
        ("file_1:0", "chunk 0"),
        ("file_1:1", "chunk 1"),
    ]
    assert (found[1].metadata["chunk_index"], found[1].metadata["page"]) == (1, 1)


def test_the_loader_requests_no_more_than_the_loop_asks_for() -> None:
    expected = ["/v1/files", "/v1/files/file_1/variants/markdown"]
    fake = FakeServer(HANDLERS)
    documents = KilnLoader(kiln=fake.kiln()).lazy_load()
    assert fake.requests == []
    next(documents)
    assert [request.path for request in fake.requests] == expected

    async def first(documents: AsyncIterator[Document]) -> None:
        await documents.__anext__()

    fake = FakeServer(HANDLERS)
    asyncio.run(first(KilnLoader(kiln=fake.kiln(), async_kiln=fake.async_kiln()).alazy_load()))
    assert [request.path for request in fake.requests] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_loader_ends_with_an_error_that_is_none_of_a_missing_file(kind: str) -> None:
    def unavailable(_: RecordedRequest) -> httpx.Response:
        return problem(503, "UNAVAILABLE")

    with pytest.raises(ServerError):
        loaded(kind, FakeServer({**HANDLERS, "GET /v1/files/:id/variants/markdown": unavailable}))


def test_the_options_are_those_of_the_methods() -> None:
    """Type checkers only see the types of options, so they are read from the source."""
    source = inspect.getsource(sys.modules["kiln.langchain"])
    options: List[Tuple[Callable[..., Any], str, Set[str]]] = [
        (Search.query, "SearchOptions", {"query", "group"}),
        (Files.list, "FileOptions", {"cursor"}),
    ]
    for method, name, fixed in options:
        body = source.split(f"class {name}(TypedDict, total=False):")[1].split("\n\n    class ")[0].split("\nelse:")[0]
        named = {line.split(":")[0].strip() for line in body.splitlines() if ": " in line and '"""' not in line}
        assert named == set(inspect.signature(method).parameters) - {"self", "options"} - fixed


def test_only_this_module_imports_langchain() -> None:
    script = "import sys, kiln, kiln.testing, kiln.webhooks; sys.exit('langchain_core' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_without_langchain_the_import_says_what_to_install() -> None:
    script = "import sys; sys.modules['langchain_core'] = None; import kiln.langchain"
    failed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "pip install 'kiln[langchain]'" in failed.stderr
