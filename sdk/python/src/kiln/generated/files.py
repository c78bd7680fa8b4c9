# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Mapping, Optional, Sequence, Union

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    CreateFileResponse,
    DeleteFileResponse,
    DeleteFilesResponse,
    DownloadFileResponse,
    File,
    FileSummary,
    ListFileChunksResponse,
    ListFileChunksResponseChunk,
    ListFilesResponse,
    ProcessBatchResponse,
    ProcessFileResponse,
    UploadResponse,
    create_file_response_from_json,
    upload_response_from_json,
)
from .params import (
    CreateFileRequestChunking,
    DeleteFilesRequestSelection,
    ProcessBatchRequestChunking,
    ProcessBatchRequestSelection,
    ProcessFileRequestChunking,
    UploadRequestChunking,
)


class Files(Resource):
    def create_upload(
        self,
        *,
        filename: str,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[UploadRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        size_bytes: Optional[int] = None,
        skip_processing: Optional[bool] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        on_conflict: Optional[Literal["fail", "replace"]] = None,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> UploadResponse:
        """Upload a file.

        A multipart request carries the bytes. A JSON request returns a signed URL; send the bytes there with PUT. No further call is needed. With `wait`, the response to a multipart request comes when the file is processed, with its variants. Processing starts when the bytes are in storage, unless `skip_processing` is true. In a multipart request, send the object fields (`metadata`, `chunking`, `variants`) as JSON strings. If the organization has reached a hard page limit, the request fails with 402 before the bytes are read. An upload with `skip_processing` is exempt if that field comes before the file. An upload with `on_conflict=replace` gives its content to the file that has its `external_id`; by a signed URL when the bytes have arrived.

        Needs the scope `files:write`.

        `POST /v1/upload`
        """
        request = Request(
            "POST",
            "/v1/upload",
            query={"wait": wait},
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
                "filename": filename,
                "space": space,
                "content_type": content_type,
                "size_bytes": size_bytes,
                "skip_processing": skip_processing,
                "metadata": metadata,
                "external_id": external_id,
                "on_conflict": on_conflict,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, upload_response_from_json, options))

    def list(
        self,
        *,
        space: Optional[str] = None,
        status: Optional[Literal["uploading", "uploaded", "processing", "completed", "failed"]] = None,
        search: Optional[str] = None,
        sort_by: Optional[Literal["created_at", "updated_at", "filename", "size_bytes"]] = None,
        sort_order: Optional[Literal["asc", "desc"]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        filter: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListFilesResponse, FileSummary]:
        """List files.

        Returns the newest files first by default. Filters are combined with AND. `metadata.<key>=<value>` matches the exact value. `filter` has other comparisons. A page may have fewer files than `limit`, or none: the list ends where `next_cursor` is null.

        Needs the scope `files:read`.

        `GET /v1/files`
        """
        request = Request(
            "GET",
            "/v1/files",
            query={
                "space": space,
                "status": status,
                "search": search,
                "sort_by": sort_by,
                "sort_order": sort_order,
                "metadata": metadata,
                "external_id": external_id,
                "filter": filter,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return PagedList(self._core.pages(request, ListFilesResponse.from_json, options), lambda page: page.files)

    def delete_many(
        self,
        *,
        file_ids: Optional[Sequence[str]] = None,
        selection: Optional[DeleteFilesRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeleteFilesResponse:
        """Delete up to 100 files.

        Send either `file_ids` or a `selection`. Deletes every file that exists. `errors` lists the ids that do not belong to a file. Of a larger selection, 100 files are deleted, and `more` is true.

        Needs the scope `files:write`.

        `DELETE /v1/files`
        """
        request = Request(
            "DELETE",
            "/v1/files",
            body=body_of({"file_ids": file_ids, "selection": selection}),
        )
        return run(self._core.json(request, DeleteFilesResponse.from_json, options))

    def create(
        self,
        *,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[CreateFileRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        filename: Optional[str] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        size_bytes: Optional[int] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        on_conflict: Optional[Literal["fail", "replace"]] = None,
        content: Optional[str] = None,
        url: Optional[str] = None,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> CreateFileResponse:
        """Create a file.

        The bytes are the text in `content`, or what Kiln downloads from `url`; the response comes when they are stored. Without both, the response has a signed URL, as that of a JSON upload: send the bytes there with PUT. The server of `url` must have a public address, and must send the whole file within five minutes, unless the operator has set other limits.

        Needs the scope `files:write`.

        `POST /v1/files`
        """
        request = Request(
            "POST",
            "/v1/files",
            query={"wait": wait},
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
                "filename": filename,
                "space": space,
                "content_type": content_type,
                "size_bytes": size_bytes,
                "metadata": metadata,
                "external_id": external_id,
                "on_conflict": on_conflict,
                "content": content,
                "url": url,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, create_file_response_from_json, options))

    def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> File:
        """Get a file with its variants.

        Needs the scope `files:read`.

        `GET /v1/files/{id}`
        """
        request = Request("GET", "/v1/files/{id}", parameters=(id,))
        return run(self._core.json(request, File.from_json, options))

    def update(
        self,
        id: str,
        *,
        filename: Optional[str] = None,
        space: Optional[str] = None,
        metadata: Optional[Mapping[str, Optional[str]]] = None,
        external_id: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> File:
        """Update a file.

        Changes the name, the space, the metadata or the external id of a file. Omitted fields keep their values, and so do omitted keys of `metadata`; a key with null is removed. Lists show the new values at once, searches within seconds. The variants do not change.

        Needs the scope `files:write`.

        `PATCH /v1/files/{id}`
        """
        request = Request(
            "PATCH",
            "/v1/files/{id}",
            parameters=(id,),
            body=body_of({
                "filename": filename,
                "space": space,
                "metadata": metadata,
                "external_id": external_id,
            }, nulls=["external_id"]),
        )
        return run(self._core.json(request, File.from_json, options))

    def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteFileResponse:
        """Delete a file.

        Deletes the file, its variants and its jobs. The file can be neither read nor found once this request returns, and its running job is stopped. The stored bytes are removed shortly afterwards; signed URLs to them then stop working.

        Needs the scope `files:write`.

        `DELETE /v1/files/{id}`
        """
        request = Request("DELETE", "/v1/files/{id}", parameters=(id,))
        return run(self._core.json(request, DeleteFileResponse.from_json, options))

    def list_chunks(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListFileChunksResponse, ListFileChunksResponseChunk]:
        """List the chunks of a file.

        The parts of the text that searches find, in their order. A file without the variant `searchable-index`, or not processed yet, has none.

        Needs the scope `files:read`.

        `GET /v1/files/{id}/chunks`
        """
        request = Request(
            "GET",
            "/v1/files/{id}/chunks",
            parameters=(id,),
            query={"limit": limit, "cursor": cursor},
        )
        return PagedList(self._core.pages(request, ListFileChunksResponse.from_json, options), lambda page: page.chunks)

    def download(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DownloadFileResponse:
        """Get a download URL for a file.

        The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.

        Needs the scope `files:read`.

        `GET /v1/files/{id}/download`
        """
        request = Request("GET", "/v1/files/{id}/download", parameters=(id,))
        return run(self._core.json(request, DownloadFileResponse.from_json, options))

    def get_page_image(
        self,
        id: str,
        page: int,
        *,
        width: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> bytes:
        """Get an image of a page.

        Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.

        Needs the scope `files:read`.

        `GET /v1/files/{id}/pages/{page}.png`
        """
        request = Request(
            "GET",
            "/v1/files/{id}/pages/{page}.png",
            parameters=(id, page,),
            query={"width": width},
        )
        return run(self._core.content(request, options))

    def process(
        self,
        id: str,
        *,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[ProcessFileRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        options: Optional[RequestOptions] = None,
    ) -> ProcessFileResponse:
        """Process or reprocess a file.

        Creates a job that replaces the current job of the file, even if that job is running: the newest request wins. Existing variants stay readable until new ones replace them. The body is optional. Returns 409 if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not respond.

        Needs the scope `files:write`.

        `POST /v1/files/{id}/process`
        """
        request = Request(
            "POST",
            "/v1/files/{id}/process",
            parameters=(id,),
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, ProcessFileResponse.from_json, options))

    def process_many(
        self,
        *,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[ProcessBatchRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        file_ids: Optional[Sequence[str]] = None,
        connection_id: Optional[str] = None,
        selection: Optional[ProcessBatchRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> ProcessBatchResponse:
        """Process many files.

        Send `file_ids` (up to 1,000), `connection_id` or a `selection`. Of a larger selection, 1,000 files are processed, and `more` is true. Files that cannot be processed are listed in `errors`; the others are queued. With `connection_id`, every file node without an up-to-date result is queued; the bytes stay in the bucket. The response covers about the first 1,000 files. The others are queued in the background, in the same batch, until the quota of the plan is reached; `rest` reports their state.

        Needs the scope `files:write`.

        `POST /v1/files/process-batch`
        """
        request = Request(
            "POST",
            "/v1/files/process-batch",
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
                "file_ids": file_ids,
                "connection_id": connection_id,
                "selection": selection,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, ProcessBatchResponse.from_json, options))


class AsyncFiles(AsyncResource):
    async def create_upload(
        self,
        *,
        filename: str,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[UploadRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        size_bytes: Optional[int] = None,
        skip_processing: Optional[bool] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        on_conflict: Optional[Literal["fail", "replace"]] = None,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> UploadResponse:
        """Upload a file.

        A multipart request carries the bytes. A JSON request returns a signed URL; send the bytes there with PUT. No further call is needed. With `wait`, the response to a multipart request comes when the file is processed, with its variants. Processing starts when the bytes are in storage, unless `skip_processing` is true. In a multipart request, send the object fields (`metadata`, `chunking`, `variants`) as JSON strings. If the organization has reached a hard page limit, the request fails with 402 before the bytes are read. An upload with `skip_processing` is exempt if that field comes before the file. An upload with `on_conflict=replace` gives its content to the file that has its `external_id`; by a signed URL when the bytes have arrived.

        Needs the scope `files:write`.

        `POST /v1/upload`
        """
        request = Request(
            "POST",
            "/v1/upload",
            query={"wait": wait},
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
                "filename": filename,
                "space": space,
                "content_type": content_type,
                "size_bytes": size_bytes,
                "skip_processing": skip_processing,
                "metadata": metadata,
                "external_id": external_id,
                "on_conflict": on_conflict,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, upload_response_from_json, options)

    def list(
        self,
        *,
        space: Optional[str] = None,
        status: Optional[Literal["uploading", "uploaded", "processing", "completed", "failed"]] = None,
        search: Optional[str] = None,
        sort_by: Optional[Literal["created_at", "updated_at", "filename", "size_bytes"]] = None,
        sort_order: Optional[Literal["asc", "desc"]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        filter: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListFilesResponse, FileSummary]:
        """List files.

        Returns the newest files first by default. Filters are combined with AND. `metadata.<key>=<value>` matches the exact value. `filter` has other comparisons. A page may have fewer files than `limit`, or none: the list ends where `next_cursor` is null.

        Needs the scope `files:read`.

        `GET /v1/files`
        """
        request = Request(
            "GET",
            "/v1/files",
            query={
                "space": space,
                "status": status,
                "search": search,
                "sort_by": sort_by,
                "sort_order": sort_order,
                "metadata": metadata,
                "external_id": external_id,
                "filter": filter,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return AsyncPagedList(self._core.pages(request, ListFilesResponse.from_json, options), lambda page: page.files)

    async def delete_many(
        self,
        *,
        file_ids: Optional[Sequence[str]] = None,
        selection: Optional[DeleteFilesRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeleteFilesResponse:
        """Delete up to 100 files.

        Send either `file_ids` or a `selection`. Deletes every file that exists. `errors` lists the ids that do not belong to a file. Of a larger selection, 100 files are deleted, and `more` is true.

        Needs the scope `files:write`.

        `DELETE /v1/files`
        """
        request = Request(
            "DELETE",
            "/v1/files",
            body=body_of({"file_ids": file_ids, "selection": selection}),
        )
        return await self._core.json(request, DeleteFilesResponse.from_json, options)

    async def create(
        self,
        *,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[CreateFileRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        filename: Optional[str] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        size_bytes: Optional[int] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        on_conflict: Optional[Literal["fail", "replace"]] = None,
        content: Optional[str] = None,
        url: Optional[str] = None,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> CreateFileResponse:
        """Create a file.

        The bytes are the text in `content`, or what Kiln downloads from `url`; the response comes when they are stored. Without both, the response has a signed URL, as that of a JSON upload: send the bytes there with PUT. The server of `url` must have a public address, and must send the whole file within five minutes, unless the operator has set other limits.

        Needs the scope `files:write`.

        `POST /v1/files`
        """
        request = Request(
            "POST",
            "/v1/files",
            query={"wait": wait},
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
                "filename": filename,
                "space": space,
                "content_type": content_type,
                "size_bytes": size_bytes,
                "metadata": metadata,
                "external_id": external_id,
                "on_conflict": on_conflict,
                "content": content,
                "url": url,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, create_file_response_from_json, options)

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> File:
        """Get a file with its variants.

        Needs the scope `files:read`.

        `GET /v1/files/{id}`
        """
        request = Request("GET", "/v1/files/{id}", parameters=(id,))
        return await self._core.json(request, File.from_json, options)

    async def update(
        self,
        id: str,
        *,
        filename: Optional[str] = None,
        space: Optional[str] = None,
        metadata: Optional[Mapping[str, Optional[str]]] = None,
        external_id: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> File:
        """Update a file.

        Changes the name, the space, the metadata or the external id of a file. Omitted fields keep their values, and so do omitted keys of `metadata`; a key with null is removed. Lists show the new values at once, searches within seconds. The variants do not change.

        Needs the scope `files:write`.

        `PATCH /v1/files/{id}`
        """
        request = Request(
            "PATCH",
            "/v1/files/{id}",
            parameters=(id,),
            body=body_of({
                "filename": filename,
                "space": space,
                "metadata": metadata,
                "external_id": external_id,
            }, nulls=["external_id"]),
        )
        return await self._core.json(request, File.from_json, options)

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteFileResponse:
        """Delete a file.

        Deletes the file, its variants and its jobs. The file can be neither read nor found once this request returns, and its running job is stopped. The stored bytes are removed shortly afterwards; signed URLs to them then stop working.

        Needs the scope `files:write`.

        `DELETE /v1/files/{id}`
        """
        request = Request("DELETE", "/v1/files/{id}", parameters=(id,))
        return await self._core.json(request, DeleteFileResponse.from_json, options)

    def list_chunks(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListFileChunksResponse, ListFileChunksResponseChunk]:
        """List the chunks of a file.

        The parts of the text that searches find, in their order. A file without the variant `searchable-index`, or not processed yet, has none.

        Needs the scope `files:read`.

        `GET /v1/files/{id}/chunks`
        """
        request = Request(
            "GET",
            "/v1/files/{id}/chunks",
            parameters=(id,),
            query={"limit": limit, "cursor": cursor},
        )
        return AsyncPagedList(self._core.pages(request, ListFileChunksResponse.from_json, options), lambda page: page.chunks)

    async def download(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DownloadFileResponse:
        """Get a download URL for a file.

        The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.

        Needs the scope `files:read`.

        `GET /v1/files/{id}/download`
        """
        request = Request("GET", "/v1/files/{id}/download", parameters=(id,))
        return await self._core.json(request, DownloadFileResponse.from_json, options)

    async def get_page_image(
        self,
        id: str,
        page: int,
        *,
        width: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> bytes:
        """Get an image of a page.

        Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.

        Needs the scope `files:read`.

        `GET /v1/files/{id}/pages/{page}.png`
        """
        request = Request(
            "GET",
            "/v1/files/{id}/pages/{page}.png",
            parameters=(id, page,),
            query={"width": width},
        )
        return await self._core.content(request, options)

    async def process(
        self,
        id: str,
        *,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[ProcessFileRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        options: Optional[RequestOptions] = None,
    ) -> ProcessFileResponse:
        """Process or reprocess a file.

        Creates a job that replaces the current job of the file, even if that job is running: the newest request wins. Existing variants stay readable until new ones replace them. The body is optional. Returns 409 if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not respond.

        Needs the scope `files:write`.

        `POST /v1/files/{id}/process`
        """
        request = Request(
            "POST",
            "/v1/files/{id}/process",
            parameters=(id,),
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, ProcessFileResponse.from_json, options)

    async def process_many(
        self,
        *,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[ProcessBatchRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        file_ids: Optional[Sequence[str]] = None,
        connection_id: Optional[str] = None,
        selection: Optional[ProcessBatchRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> ProcessBatchResponse:
        """Process many files.

        Send `file_ids` (up to 1,000), `connection_id` or a `selection`. Of a larger selection, 1,000 files are processed, and `more` is true. Files that cannot be processed are listed in `errors`; the others are queued. With `connection_id`, every file node without an up-to-date result is queued; the bytes stay in the bucket. The response covers about the first 1,000 files. The others are queued in the background, in the same batch, until the quota of the plan is reached; `rest` reports their state.

        Needs the scope `files:write`.

        `POST /v1/files/process-batch`
        """
        request = Request(
            "POST",
            "/v1/files/process-batch",
            body=body_of({
                "provider": provider,
                "embedding_model": embedding_model,
                "chunking": chunking,
                "variants": variants,
                "file_ids": file_ids,
                "connection_id": connection_id,
                "selection": selection,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, ProcessBatchResponse.from_json, options)
