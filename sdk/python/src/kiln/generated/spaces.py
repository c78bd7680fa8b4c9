# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import Request
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    DeleteSpaceResponse,
    GetSpaceStatsResponse,
    ListSpacesResponse,
    ListSpacesResponseSpace,
)


class Spaces(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListSpacesResponse, ListSpacesResponseSpace]:
        """List spaces.

        Returns spaces ordered by name, each with its number of files. A space exists from its first file until it is deleted.

        Needs the scope `files:read`.

        `GET /v1/spaces`
        """
        request = Request("GET", "/v1/spaces", query={"limit": limit, "cursor": cursor})
        return PagedList(self._core.pages(request, ListSpacesResponse.from_json, options), lambda page: page.spaces)

    def get_stats(
        self,
        name: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSpaceStatsResponse:
        """Get the file statistics of a space.

        The counts include every change whose request has returned.

        Needs the scope `files:read`.

        `GET /v1/spaces/{name}/stats`
        """
        request = Request("GET", "/v1/spaces/{name}/stats", parameters=(name,))
        return run(self._core.json(request, GetSpaceStatsResponse.from_json, options))

    def delete(
        self,
        name: str,
        *,
        cascade: Optional[Literal["true", "false"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceResponse:
        """Delete a space.

        Returns 409 if the space has files and `cascade` is not true. With `cascade`, its files cannot be read once this request returns; their data is removed in the background. Files uploaded later to a space of the same name are not affected.

        Needs the scope `files:write`.

        `DELETE /v1/spaces/{name}`
        """
        request = Request("DELETE", "/v1/spaces/{name}", parameters=(name,), query={"cascade": cascade})
        return run(self._core.json(request, DeleteSpaceResponse.from_json, options))


class AsyncSpaces(AsyncResource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListSpacesResponse, ListSpacesResponseSpace]:
        """List spaces.

        Returns spaces ordered by name, each with its number of files. A space exists from its first file until it is deleted.

        Needs the scope `files:read`.

        `GET /v1/spaces`
        """
        request = Request("GET", "/v1/spaces", query={"limit": limit, "cursor": cursor})
        return AsyncPagedList(self._core.pages(request, ListSpacesResponse.from_json, options), lambda page: page.spaces)

    async def get_stats(
        self,
        name: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSpaceStatsResponse:
        """Get the file statistics of a space.

        The counts include every change whose request has returned.

        Needs the scope `files:read`.

        `GET /v1/spaces/{name}/stats`
        """
        request = Request("GET", "/v1/spaces/{name}/stats", parameters=(name,))
        return await self._core.json(request, GetSpaceStatsResponse.from_json, options)

    async def delete(
        self,
        name: str,
        *,
        cascade: Optional[Literal["true", "false"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceResponse:
        """Delete a space.

        Returns 409 if the space has files and `cascade` is not true. With `cascade`, its files cannot be read once this request returns; their data is removed in the background. Files uploaded later to a space of the same name are not affected.

        Needs the scope `files:write`.

        `DELETE /v1/spaces/{name}`
        """
        request = Request("DELETE", "/v1/spaces/{name}", parameters=(name,), query={"cascade": cascade})
        return await self._core.json(request, DeleteSpaceResponse.from_json, options)
