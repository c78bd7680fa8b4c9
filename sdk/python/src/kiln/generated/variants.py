# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional

from ..core.options import RequestOptions
from ..core.request import Request
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import ListVariantsResponse, Variant


class Variants(Resource):
    def list(
        self,
        file_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListVariantsResponse:
        """List the variants of a file.

        Content larger than 1 MiB is null; download it from `content_url`.

        Needs the scope `files:read`.

        `GET /v1/files/{file_id}/variants`
        """
        request = Request("GET", "/v1/files/{file_id}/variants", parameters=(file_id,))
        return run(self._core.json(request, ListVariantsResponse.from_json, options))

    def get(
        self,
        file_id: str,
        type: Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Variant:
        """Get a variant of a file.

        Content larger than 1 MiB is null; download it from `content_url`.

        Needs the scope `files:read`.

        `GET /v1/files/{file_id}/variants/{type}`
        """
        request = Request("GET", "/v1/files/{file_id}/variants/{type}", parameters=(file_id, type,))
        return run(self._core.json(request, Variant.from_json, options))


class AsyncVariants(AsyncResource):
    async def list(
        self,
        file_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListVariantsResponse:
        """List the variants of a file.

        Content larger than 1 MiB is null; download it from `content_url`.

        Needs the scope `files:read`.

        `GET /v1/files/{file_id}/variants`
        """
        request = Request("GET", "/v1/files/{file_id}/variants", parameters=(file_id,))
        return await self._core.json(request, ListVariantsResponse.from_json, options)

    async def get(
        self,
        file_id: str,
        type: Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Variant:
        """Get a variant of a file.

        Content larger than 1 MiB is null; download it from `content_url`.

        Needs the scope `files:read`.

        `GET /v1/files/{file_id}/variants/{type}`
        """
        request = Request("GET", "/v1/files/{file_id}/variants/{type}", parameters=(file_id, type,))
        return await self._core.json(request, Variant.from_json, options)
