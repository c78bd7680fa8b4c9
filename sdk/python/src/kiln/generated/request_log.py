# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import Request
from ..core.resource import AsyncResource, Resource
from .models import ListRequestsResponse, ListRequestsResponseLog


class RequestLog(Resource):
    def list(
        self,
        *,
        method: Optional[Literal["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"]] = None,
        status: Optional[int] = None,
        path: Optional[str] = None,
        auth_type: Optional[Literal["api_key", "jwt"]] = None,
        key_name: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListRequestsResponse, ListRequestsResponseLog]:
        """List the requests of your keys.

        Returns the newest requests first, for 7 days, including those that were refused with 401 or 403. The status 499 is that of a request whose caller disconnected before the response; it may have been performed. Filters are combined with AND. A request appears within 5 seconds. If filters rarely match together, a page may have fewer entries than `limit`, or none; `next_cursor` continues the search. Requests of the other mode (live or test) are not shown.

        Needs the scope `logs:read`.

        `GET /v1/api-logs`
        """
        request = Request(
            "GET",
            "/v1/api-logs",
            query={
                "method": method,
                "status": status,
                "path": path,
                "auth_type": auth_type,
                "key_name": key_name,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return PagedList(self._core.pages(request, ListRequestsResponse.from_json, options), lambda page: page.logs)


class AsyncRequestLog(AsyncResource):
    def list(
        self,
        *,
        method: Optional[Literal["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"]] = None,
        status: Optional[int] = None,
        path: Optional[str] = None,
        auth_type: Optional[Literal["api_key", "jwt"]] = None,
        key_name: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListRequestsResponse, ListRequestsResponseLog]:
        """List the requests of your keys.

        Returns the newest requests first, for 7 days, including those that were refused with 401 or 403. The status 499 is that of a request whose caller disconnected before the response; it may have been performed. Filters are combined with AND. A request appears within 5 seconds. If filters rarely match together, a page may have fewer entries than `limit`, or none; `next_cursor` continues the search. Requests of the other mode (live or test) are not shown.

        Needs the scope `logs:read`.

        `GET /v1/api-logs`
        """
        request = Request(
            "GET",
            "/v1/api-logs",
            query={
                "method": method,
                "status": status,
                "path": path,
                "auth_type": auth_type,
                "key_name": key_name,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return AsyncPagedList(self._core.pages(request, ListRequestsResponse.from_json, options), lambda page: page.logs)
