"""A retriever and a document loader of LangChain, for `pip install 'kiln[langchain]'`.

The texts of documents are those of files, so they are untrusted: see the guide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, Dict, Iterator, List, Literal, Mapping, Optional

from .core.client import AsyncKiln, Kiln
from .core.errors import NotFoundError
from .core.run import iterate
from .generated.models import FileSummary, SearchResponse
from .generated.params import SearchRequestHybrid, SearchRequestRecency
from .generated.resources import AsyncResources

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ImportError("kiln.langchain needs langchain-core: pip install 'kiln[langchain]'") from error

if TYPE_CHECKING:
    from typing import TypedDict

    class SearchOptions(TypedDict, total=False):
        """What a search takes besides the query. The defaults are those of the API."""

        mode: Literal["text", "vector", "hybrid"]
        space: str
        content_type: str
        metadata: Mapping[str, str]
        filter: Mapping[str, object]
        limit: int
        max_per_file: int
        hybrid: SearchRequestHybrid
        recency: SearchRequestRecency
        rerank: bool

    class FileOptions(TypedDict, total=False):
        """Which files are loaded, and in which order: what a list of files takes."""

        space: str
        status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
        search: str
        sort_by: Literal["created_at", "updated_at", "filename", "size_bytes"]
        sort_order: Literal["asc", "desc"]
        metadata: Mapping[str, str]
        external_id: str
        filter: str
        limit: int

else:
    # Before Python 3.12, pydantic cannot make a field of such a type.
    SearchOptions = FileOptions = Dict[str, Any]

__all__ = ["FileOptions", "KilnLoader", "KilnRetriever", "SearchOptions"]

#: Fields of a result that are not metadata: its text in several forms, and the metadata of the file, which gets another name.
_TEXTS = ("text", "chunk_text", "snippet", "highlights", "metadata")
_FILE_FIELDS = ("filename", "space", "content_type", "external_id", "created_at", "updated_at")


class KilnRetriever(BaseRetriever):
    """Searches Kiln, and returns the chunks as documents, the best first. Their texts are untrusted.

    The metadata are the fields of the result. `file_metadata` is that of the file, and `served` names the parts of the search that took
    part. Raises the errors of the SDK.
    """

    kiln: Kiln
    #: For `ainvoke`. Without it, `kiln` is called in a thread.
    async_kiln: Optional[AsyncKiln] = None
    search: SearchOptions = {}

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> List[Document]:
        return _found(self.kiln.search.query(query=query, group="chunk", **self.search))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> List[Document]:
        if self.async_kiln is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        return _found(await self.async_kiln.search.query(query=query, group="chunk", **self.search))


def _found(response: SearchResponse) -> List[Document]:
    documents = []
    for result in response.results:
        fields = result.to_dict()
        metadata = {name: value for name, value in fields.items() if name not in _TEXTS}
        if result.metadata is not None:
            metadata["file_metadata"] = result.metadata
        metadata["served"] = response.served
        id = f"{result.file_id}:{result.chunk_index}"
        documents.append(Document(id=id, page_content=result.text, metadata=metadata))
    return documents


class KilnLoader(BaseLoader):
    """Loads files of Kiln as documents, in the order of the list. Their texts are untrusted.

    A document is the markdown of a file, or with `per="chunk"` a chunk. A file without markdown, or without chunks, has no document: it is
    not processed yet, or has been deleted in the meantime. `alazy_load` uses `async_kiln`; without it, `kiln` is called in a thread.
    """

    def __init__(
        self,
        *,
        kiln: Kiln,
        async_kiln: Optional[AsyncKiln] = None,
        files: Optional[FileOptions] = None,
        per: Literal["file", "chunk"] = "file",
    ) -> None:
        self._kiln = kiln
        self._async_kiln = async_kiln
        self._files: FileOptions = files or {}
        self._per = per

    def lazy_load(self) -> Iterator[Document]:
        """Loads a file when the loop asks for it, and keeps none."""
        return iterate(self._documents(AsyncResources(self._kiln._core)))

    async def alazy_load(self) -> AsyncIterator[Document]:
        """See `lazy_load`."""
        documents = super().alazy_load() if self._async_kiln is None else self._documents(self._async_kiln)
        async for document in documents:
            yield document

    async def _documents(self, kiln: AsyncResources) -> AsyncGenerator[Document, None]:
        async for file in kiln.files.list(**self._files):
            try:
                if self._per == "chunk":
                    async for chunk in _chunks(kiln, file):
                        yield chunk
                else:
                    text = await kiln.variants.read(file.id, "markdown")
                    yield Document(id=file.id, page_content=text, metadata=_metadata(file))
            except NotFoundError:
                continue


async def _chunks(kiln: AsyncResources, file: FileSummary) -> AsyncGenerator[Document, None]:
    async for chunk in kiln.files.list_chunks(file.id):
        place = {name: value for name, value in chunk.to_dict().items() if name not in ("index", "text")}
        metadata = {**_metadata(file), **place, "chunk_index": chunk.index}
        yield Document(id=f"{file.id}:{chunk.index}", page_content=chunk.text, metadata=metadata)


def _metadata(file: FileSummary) -> Dict[str, object]:
    return {"file_id": file.id, **{name: getattr(file, name) for name in _FILE_FIELDS}}
