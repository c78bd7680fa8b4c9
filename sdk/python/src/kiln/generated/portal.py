# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Mapping, Optional, Sequence

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from ..core.streams import AsyncStream, Stream
from .models import (
    AnswerEvent,
    AnswerQuestionResponse,
    DeleteApiKeyResponse,
    DownloadFileResponse,
    File,
    FileSummary,
    GetBrandingResponse,
    ListFilesResponse,
    ListPortalTokensResponse,
    ListPortalTokensResponseToken,
    ListPortalVariantsResponse,
    PortalToken,
    SearchResponse,
    Variant,
    VerifyPortalTokenResponse,
    answer_event_from_json,
)
from .params import (
    AnswerPortalQuestionRequestAnswerFormat,
    AnswerPortalQuestionRequestHistory,
    SearchPortalRequestHybrid,
    SearchPortalRequestRecency,
)


class Portal(Resource):
    def get_page_image(
        self,
        id: str,
        page: int,
        *,
        width: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> bytes:
        """Get a page image of a portal file.

        Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.

        `GET /v1/portal/files/{id}/pages/{page}.png`
        """
        request = Request(
            "GET",
            "/v1/portal/files/{id}/pages/{page}.png",
            parameters=(id, page,),
            query={"width": width},
        )
        return run(self._core.content(request, options))

    def create_token(
        self,
        *,
        space: str,
        ttl: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> PortalToken:
        """Create a portal token.

        A browser can read one space with this token until it expires. The secret is returned once. The token ends with the key that creates it, when that is revoked or expires.

        Needs the scopes `portal:write`, `files:read`, `search:read`.

        `POST /v1/portal/tokens`
        """
        request = Request(
            "POST",
            "/v1/portal/tokens",
            body=body_of({"space": space, "ttl": ttl}),
            is_keyed=True,
        )
        return run(self._core.json(request, PortalToken.from_json, options))

    def list_tokens(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListPortalTokensResponse, ListPortalTokensResponseToken]:
        """List portal tokens.

        Returns the tokens that are valid, newest first.

        Needs the scope `portal:write`.

        `GET /v1/portal/tokens`
        """
        request = Request("GET", "/v1/portal/tokens", query={"limit": limit, "cursor": cursor})
        return PagedList(self._core.pages(request, ListPortalTokensResponse.from_json, options), lambda page: page.tokens)

    def verify_token(
        self,
        token: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> VerifyPortalTokenResponse:
        """Verify a portal token.

        Unknown, expired and revoked tokens get the same response.

        `GET /v1/portal/tokens/{token}/verify`
        """
        request = Request("GET", "/v1/portal/tokens/{token}/verify", parameters=(token,))
        return run(self._core.json(request, VerifyPortalTokenResponse.from_json, options))

    def delete_token(
        self,
        token: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteApiKeyResponse:
        """Revoke a portal token.

        The token is named by its value, or by the prefix that the list shows.

        Needs the scope `portal:write`.

        `DELETE /v1/portal/tokens/{token}`
        """
        request = Request("DELETE", "/v1/portal/tokens/{token}", parameters=(token,))
        return run(self._core.json(request, DeleteApiKeyResponse.from_json, options))

    def list_files(
        self,
        *,
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
        """List the files of the portal's space.

        `GET /v1/portal/files`
        """
        request = Request(
            "GET",
            "/v1/portal/files",
            query={
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

    def get_file(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> File:
        """Get a file of the portal's space.

        `GET /v1/portal/files/{id}`
        """
        request = Request("GET", "/v1/portal/files/{id}", parameters=(id,))
        return run(self._core.json(request, File.from_json, options))

    def download_file(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DownloadFileResponse:
        """Get a download URL for a portal file.

        The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.

        `GET /v1/portal/files/{id}/download`
        """
        request = Request("GET", "/v1/portal/files/{id}/download", parameters=(id,))
        return run(self._core.json(request, DownloadFileResponse.from_json, options))

    def get_branding(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetBrandingResponse:
        """Get the branding of the portal.

        `GET /v1/portal/branding`
        """
        request = Request("GET", "/v1/portal/branding")
        return run(self._core.json(request, GetBrandingResponse.from_json, options))

    def list_variants(
        self,
        file_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListPortalVariantsResponse:
        """List the variants of a portal file.

        Content larger than 1 MiB is null; download it from `content_url`.

        `GET /v1/portal/files/{file_id}/variants`
        """
        request = Request("GET", "/v1/portal/files/{file_id}/variants", parameters=(file_id,))
        return run(self._core.json(request, ListPortalVariantsResponse.from_json, options))

    def get_variant(
        self,
        file_id: str,
        type: Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Variant:
        """Get a variant of a portal file.

        Content larger than 1 MiB is null; download it from `content_url`.

        `GET /v1/portal/files/{file_id}/variants/{type}`
        """
        request = Request("GET", "/v1/portal/files/{file_id}/variants/{type}", parameters=(file_id, type,))
        return run(self._core.json(request, Variant.from_json, options))

    def search(
        self,
        *,
        query: str,
        mode: Optional[Literal["text", "vector", "hybrid"]] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        limit: Optional[int] = None,
        group: Optional[Literal["file", "chunk"]] = None,
        max_per_file: Optional[int] = None,
        hybrid: Optional[SearchPortalRequestHybrid] = None,
        recency: Optional[SearchPortalRequestRecency] = None,
        rerank: Optional[bool] = None,
        options: Optional[RequestOptions] = None,
    ) -> SearchResponse:
        """Search the portal's space.

        `POST /v1/portal/search`
        """
        request = Request(
            "POST",
            "/v1/portal/search",
            body=body_of({
                "query": query,
                "mode": mode,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "limit": limit,
                "group": group,
                "max_per_file": max_per_file,
                "hybrid": hybrid,
                "recency": recency,
                "rerank": rerank,
            }),
        )
        return run(self._core.json(request, SearchResponse.from_json, options))

    def ask(
        self,
        *,
        question: str,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[AnswerPortalQuestionRequestHistory]] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[AnswerPortalQuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> AnswerQuestionResponse:
        """Answer a question from the portal's space.

        Answers only from the content of files, and cites its sources: `[n]` in the answer refers to the source with that `citation`. If no file answers the question, the answer says so and `sources` is empty. Without a chat model, the answer consists of the best sentences of the files.

        Each statement is compared with the sources. `citations` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and `omitted_statements` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.

        With `stream: true` the response is server-sent events, each with JSON as its data: `chunk` for each part of the answer, then `sources`, then `done`. A last event has the literal data `[DONE]`. If the answer breaks off, the last event is `error`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.

        `POST /v1/portal/qa`
        """
        request = Request(
            "POST",
            "/v1/portal/qa",
            body=body_of({
                "question": question,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_slow=True,
        )
        return run(self._core.json(request, AnswerQuestionResponse.from_json, options))

    def ask_stream(
        self,
        *,
        question: str,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[AnswerPortalQuestionRequestHistory]] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[AnswerPortalQuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> Stream[AnswerEvent]:
        """The same, as the parts of the answer arrive."""
        request = Request(
            "POST",
            "/v1/portal/qa",
            body=body_of({
                "question": question,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_slow=True,
        )
        return Stream(self._core.events(request, answer_event_from_json, options))


class AsyncPortal(AsyncResource):
    async def get_page_image(
        self,
        id: str,
        page: int,
        *,
        width: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> bytes:
        """Get a page image of a portal file.

        Draws a page of a PDF, a picture of a TIFF, or an image, as it is shown: regions of citations are shares of its width and height. The first request for an image draws it; later ones read it from storage. An image smaller than `width` keeps its size. Returns 404 if the file has fewer pages, and 409 for other types of files, and while the bytes have not arrived.

        `GET /v1/portal/files/{id}/pages/{page}.png`
        """
        request = Request(
            "GET",
            "/v1/portal/files/{id}/pages/{page}.png",
            parameters=(id, page,),
            query={"width": width},
        )
        return await self._core.content(request, options)

    async def create_token(
        self,
        *,
        space: str,
        ttl: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> PortalToken:
        """Create a portal token.

        A browser can read one space with this token until it expires. The secret is returned once. The token ends with the key that creates it, when that is revoked or expires.

        Needs the scopes `portal:write`, `files:read`, `search:read`.

        `POST /v1/portal/tokens`
        """
        request = Request(
            "POST",
            "/v1/portal/tokens",
            body=body_of({"space": space, "ttl": ttl}),
            is_keyed=True,
        )
        return await self._core.json(request, PortalToken.from_json, options)

    def list_tokens(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListPortalTokensResponse, ListPortalTokensResponseToken]:
        """List portal tokens.

        Returns the tokens that are valid, newest first.

        Needs the scope `portal:write`.

        `GET /v1/portal/tokens`
        """
        request = Request("GET", "/v1/portal/tokens", query={"limit": limit, "cursor": cursor})
        return AsyncPagedList(self._core.pages(request, ListPortalTokensResponse.from_json, options), lambda page: page.tokens)

    async def verify_token(
        self,
        token: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> VerifyPortalTokenResponse:
        """Verify a portal token.

        Unknown, expired and revoked tokens get the same response.

        `GET /v1/portal/tokens/{token}/verify`
        """
        request = Request("GET", "/v1/portal/tokens/{token}/verify", parameters=(token,))
        return await self._core.json(request, VerifyPortalTokenResponse.from_json, options)

    async def delete_token(
        self,
        token: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteApiKeyResponse:
        """Revoke a portal token.

        The token is named by its value, or by the prefix that the list shows.

        Needs the scope `portal:write`.

        `DELETE /v1/portal/tokens/{token}`
        """
        request = Request("DELETE", "/v1/portal/tokens/{token}", parameters=(token,))
        return await self._core.json(request, DeleteApiKeyResponse.from_json, options)

    def list_files(
        self,
        *,
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
        """List the files of the portal's space.

        `GET /v1/portal/files`
        """
        request = Request(
            "GET",
            "/v1/portal/files",
            query={
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

    async def get_file(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> File:
        """Get a file of the portal's space.

        `GET /v1/portal/files/{id}`
        """
        request = Request("GET", "/v1/portal/files/{id}", parameters=(id,))
        return await self._core.json(request, File.from_json, options)

    async def download_file(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DownloadFileResponse:
        """Get a download URL for a portal file.

        The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.

        `GET /v1/portal/files/{id}/download`
        """
        request = Request("GET", "/v1/portal/files/{id}/download", parameters=(id,))
        return await self._core.json(request, DownloadFileResponse.from_json, options)

    async def get_branding(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetBrandingResponse:
        """Get the branding of the portal.

        `GET /v1/portal/branding`
        """
        request = Request("GET", "/v1/portal/branding")
        return await self._core.json(request, GetBrandingResponse.from_json, options)

    async def list_variants(
        self,
        file_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListPortalVariantsResponse:
        """List the variants of a portal file.

        Content larger than 1 MiB is null; download it from `content_url`.

        `GET /v1/portal/files/{file_id}/variants`
        """
        request = Request("GET", "/v1/portal/files/{file_id}/variants", parameters=(file_id,))
        return await self._core.json(request, ListPortalVariantsResponse.from_json, options)

    async def get_variant(
        self,
        file_id: str,
        type: Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Variant:
        """Get a variant of a portal file.

        Content larger than 1 MiB is null; download it from `content_url`.

        `GET /v1/portal/files/{file_id}/variants/{type}`
        """
        request = Request("GET", "/v1/portal/files/{file_id}/variants/{type}", parameters=(file_id, type,))
        return await self._core.json(request, Variant.from_json, options)

    async def search(
        self,
        *,
        query: str,
        mode: Optional[Literal["text", "vector", "hybrid"]] = None,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        limit: Optional[int] = None,
        group: Optional[Literal["file", "chunk"]] = None,
        max_per_file: Optional[int] = None,
        hybrid: Optional[SearchPortalRequestHybrid] = None,
        recency: Optional[SearchPortalRequestRecency] = None,
        rerank: Optional[bool] = None,
        options: Optional[RequestOptions] = None,
    ) -> SearchResponse:
        """Search the portal's space.

        `POST /v1/portal/search`
        """
        request = Request(
            "POST",
            "/v1/portal/search",
            body=body_of({
                "query": query,
                "mode": mode,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "limit": limit,
                "group": group,
                "max_per_file": max_per_file,
                "hybrid": hybrid,
                "recency": recency,
                "rerank": rerank,
            }),
        )
        return await self._core.json(request, SearchResponse.from_json, options)

    async def ask(
        self,
        *,
        question: str,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[AnswerPortalQuestionRequestHistory]] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[AnswerPortalQuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> AnswerQuestionResponse:
        """Answer a question from the portal's space.

        Answers only from the content of files, and cites its sources: `[n]` in the answer refers to the source with that `citation`. If no file answers the question, the answer says so and `sources` is empty. Without a chat model, the answer consists of the best sentences of the files.

        Each statement is compared with the sources. `citations` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and `omitted_statements` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.

        With `stream: true` the response is server-sent events, each with JSON as its data: `chunk` for each part of the answer, then `sources`, then `done`. A last event has the literal data `[DONE]`. If the answer breaks off, the last event is `error`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.

        `POST /v1/portal/qa`
        """
        request = Request(
            "POST",
            "/v1/portal/qa",
            body=body_of({
                "question": question,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_slow=True,
        )
        return await self._core.json(request, AnswerQuestionResponse.from_json, options)

    def ask_stream(
        self,
        *,
        question: str,
        content_type: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        filter: Optional[Mapping[str, object]] = None,
        history: Optional[Sequence[AnswerPortalQuestionRequestHistory]] = None,
        max_tokens: Optional[int] = None,
        answer_format: Optional[AnswerPortalQuestionRequestAnswerFormat] = None,
        top_k: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncStream[AnswerEvent]:
        """The same, as the parts of the answer arrive."""
        request = Request(
            "POST",
            "/v1/portal/qa",
            body=body_of({
                "question": question,
                "content_type": content_type,
                "metadata": metadata,
                "filter": filter,
                "history": history,
                "max_tokens": max_tokens,
                "answer_format": answer_format,
                "top_k": top_k,
            }),
            is_slow=True,
        )
        return AsyncStream(self._core.events(request, answer_event_from_json, options))
