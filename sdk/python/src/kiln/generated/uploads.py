# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import Literal, Mapping, Optional, Sequence

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    AbortUploadResponse,
    BeginUploadResponse,
    CompleteUploadResponse,
    GetUploadResponse,
    GetUploadResponsePart,
    SignUploadPartsResponse,
)
from .params import BeginUploadRequestChunking, CompleteUploadRequestPart


class Uploads(Resource):
    def begin(
        self,
        *,
        filename: str,
        size_bytes: int,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[BeginUploadRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        skip_processing: Optional[bool] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        on_conflict: Optional[Literal["fail", "replace"]] = None,
        part_bytes: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> BeginUploadResponse:
        """Begin an upload in parts.

        For large files and unreliable connections. The bytes go to the object store in parts: request signed URLs for the parts, send each with PUT, in any order and several at a time, and complete the upload. Only a part that was interrupted is sent again. The upload has the id of its file. If it is not completed by `expires_at`, the file fails with `upload_expired`, and the parts are removed.

        Needs the scope `files:write`.

        `POST /v1/uploads`
        """
        request = Request(
            "POST",
            "/v1/uploads",
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
                "part_bytes": part_bytes,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, BeginUploadResponse.from_json, options))

    def get(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[GetUploadResponse, GetUploadResponsePart]:
        """Get an upload and its stored parts.

        To resume an upload, send the parts that are missing. An upload is kept until `expires_at`.

        Needs the scope `files:read`.

        `GET /v1/uploads/{id}`
        """
        request = Request(
            "GET",
            "/v1/uploads/{id}",
            parameters=(id,),
            query={"limit": limit, "cursor": cursor},
        )
        return PagedList(self._core.pages(request, GetUploadResponse.from_json, options), lambda page: page.parts)

    def abort(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> AbortUploadResponse:
        """Abort an upload in parts.

        Deletes the file and the parts that are stored. Returns 409 if the upload is complete: then delete the file.

        Needs the scope `files:write`.

        `DELETE /v1/uploads/{id}`
        """
        request = Request("DELETE", "/v1/uploads/{id}", parameters=(id,))
        return run(self._core.json(request, AbortUploadResponse.from_json, options))

    def sign_parts(
        self,
        id: str,
        *,
        part_numbers: Sequence[int],
        options: Optional[RequestOptions] = None,
    ) -> SignUploadPartsResponse:
        """Get signed URLs for parts.

        Send each part with PUT to its URL, with exactly `size_bytes` bytes. The URLs need no credentials. Request new ones when they have expired.

        Needs the scope `files:write`.

        `POST /v1/uploads/{id}/parts`
        """
        request = Request(
            "POST",
            "/v1/uploads/{id}/parts",
            parameters=(id,),
            body=body_of({"part_numbers": part_numbers}),
            is_keyed=True,
        )
        return run(self._core.json(request, SignUploadPartsResponse.from_json, options))

    def complete(
        self,
        id: str,
        *,
        parts: Optional[Sequence[CompleteUploadRequestPart]] = None,
        options: Optional[RequestOptions] = None,
    ) -> CompleteUploadResponse:
        """Complete an upload in parts.

        Makes the file of its parts, and starts its processing. Returns 409 if a part is missing or has another size, and names it. May be repeated: a complete upload returns its file. The body is optional.

        Needs the scope `files:write`.

        `POST /v1/uploads/{id}/complete`
        """
        request = Request(
            "POST",
            "/v1/uploads/{id}/complete",
            parameters=(id,),
            body=body_of({"parts": parts}),
            is_keyed=True,
        )
        return run(self._core.json(request, CompleteUploadResponse.from_json, options))


class AsyncUploads(AsyncResource):
    async def begin(
        self,
        *,
        filename: str,
        size_bytes: int,
        provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]] = None,
        embedding_model: Optional[str] = None,
        chunking: Optional[BeginUploadRequestChunking] = None,
        variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        space: Optional[str] = None,
        content_type: Optional[str] = None,
        skip_processing: Optional[bool] = None,
        metadata: Optional[Mapping[str, str]] = None,
        external_id: Optional[str] = None,
        on_conflict: Optional[Literal["fail", "replace"]] = None,
        part_bytes: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> BeginUploadResponse:
        """Begin an upload in parts.

        For large files and unreliable connections. The bytes go to the object store in parts: request signed URLs for the parts, send each with PUT, in any order and several at a time, and complete the upload. Only a part that was interrupted is sent again. The upload has the id of its file. If it is not completed by `expires_at`, the file fails with `upload_expired`, and the parts are removed.

        Needs the scope `files:write`.

        `POST /v1/uploads`
        """
        request = Request(
            "POST",
            "/v1/uploads",
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
                "part_bytes": part_bytes,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, BeginUploadResponse.from_json, options)

    def get(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[GetUploadResponse, GetUploadResponsePart]:
        """Get an upload and its stored parts.

        To resume an upload, send the parts that are missing. An upload is kept until `expires_at`.

        Needs the scope `files:read`.

        `GET /v1/uploads/{id}`
        """
        request = Request(
            "GET",
            "/v1/uploads/{id}",
            parameters=(id,),
            query={"limit": limit, "cursor": cursor},
        )
        return AsyncPagedList(self._core.pages(request, GetUploadResponse.from_json, options), lambda page: page.parts)

    async def abort(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> AbortUploadResponse:
        """Abort an upload in parts.

        Deletes the file and the parts that are stored. Returns 409 if the upload is complete: then delete the file.

        Needs the scope `files:write`.

        `DELETE /v1/uploads/{id}`
        """
        request = Request("DELETE", "/v1/uploads/{id}", parameters=(id,))
        return await self._core.json(request, AbortUploadResponse.from_json, options)

    async def sign_parts(
        self,
        id: str,
        *,
        part_numbers: Sequence[int],
        options: Optional[RequestOptions] = None,
    ) -> SignUploadPartsResponse:
        """Get signed URLs for parts.

        Send each part with PUT to its URL, with exactly `size_bytes` bytes. The URLs need no credentials. Request new ones when they have expired.

        Needs the scope `files:write`.

        `POST /v1/uploads/{id}/parts`
        """
        request = Request(
            "POST",
            "/v1/uploads/{id}/parts",
            parameters=(id,),
            body=body_of({"part_numbers": part_numbers}),
            is_keyed=True,
        )
        return await self._core.json(request, SignUploadPartsResponse.from_json, options)

    async def complete(
        self,
        id: str,
        *,
        parts: Optional[Sequence[CompleteUploadRequestPart]] = None,
        options: Optional[RequestOptions] = None,
    ) -> CompleteUploadResponse:
        """Complete an upload in parts.

        Makes the file of its parts, and starts its processing. Returns 409 if a part is missing or has another size, and names it. May be repeated: a complete upload returns its file. The body is optional.

        Needs the scope `files:write`.

        `POST /v1/uploads/{id}/complete`
        """
        request = Request(
            "POST",
            "/v1/uploads/{id}/complete",
            parameters=(id,),
            body=body_of({"parts": parts}),
            is_keyed=True,
        )
        return await self._core.json(request, CompleteUploadResponse.from_json, options)
