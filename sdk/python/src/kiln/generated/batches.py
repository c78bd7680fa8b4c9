# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import Optional, Sequence

from ..core.options import RequestOptions
from ..core.request import Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import GetBatchResponse, UploadBatchResponse
from .params import UploadRequest


class Batches(Resource):
    def create(
        self,
        *,
        files: Sequence[UploadRequest],
        options: Optional[RequestOptions] = None,
    ) -> UploadBatchResponse:
        """Create up to 50 files and upload URLs.

        `files` in the response has one element for each entry of the request, in the same order: an upload, or an `error` if the entry was rejected. Valid entries succeed even if others are rejected. If all entries are invalid, the request fails with 400.

        Needs the scope `files:write`.

        `POST /v1/upload/batch`
        """
        request = Request("POST", "/v1/upload/batch", body=body_of({"files": files}), is_keyed=True)
        return run(self._core.json(request, UploadBatchResponse.from_json, options))

    def get(
        self,
        id: str,
        *,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetBatchResponse:
        """Get the progress of a batch.

        Returns the current state of the files: `completed + failed + cancelled + in_progress = total`. Deleted files are not counted. A file that is being reprocessed counts as in progress. With `wait`, the response comes when the batch has ended.

        Needs the scope `files:read`.

        `GET /v1/batches/{id}`
        """
        request = Request("GET", "/v1/batches/{id}", parameters=(id,), query={"wait": wait})
        return run(self._core.json(request, GetBatchResponse.from_json, options))


class AsyncBatches(AsyncResource):
    async def create(
        self,
        *,
        files: Sequence[UploadRequest],
        options: Optional[RequestOptions] = None,
    ) -> UploadBatchResponse:
        """Create up to 50 files and upload URLs.

        `files` in the response has one element for each entry of the request, in the same order: an upload, or an `error` if the entry was rejected. Valid entries succeed even if others are rejected. If all entries are invalid, the request fails with 400.

        Needs the scope `files:write`.

        `POST /v1/upload/batch`
        """
        request = Request("POST", "/v1/upload/batch", body=body_of({"files": files}), is_keyed=True)
        return await self._core.json(request, UploadBatchResponse.from_json, options)

    async def get(
        self,
        id: str,
        *,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetBatchResponse:
        """Get the progress of a batch.

        Returns the current state of the files: `completed + failed + cancelled + in_progress = total`. Deleted files are not counted. A file that is being reprocessed counts as in progress. With `wait`, the response comes when the batch has ended.

        Needs the scope `files:read`.

        `GET /v1/batches/{id}`
        """
        request = Request("GET", "/v1/batches/{id}", parameters=(id,), query={"wait": wait})
        return await self._core.json(request, GetBatchResponse.from_json, options)
