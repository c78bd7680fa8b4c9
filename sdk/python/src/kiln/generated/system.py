# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import Optional

from ..core.options import RequestOptions
from ..core.request import Request
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import GetLivenessResponse, GetReadinessResponse


class System(Resource):
    def get_liveness(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetLivenessResponse:
        """Check that the process is alive.

        `GET /livez`
        """
        request = Request("GET", "/livez")
        return run(self._core.json(request, GetLivenessResponse.from_json, options))

    def get_readiness(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetReadinessResponse:
        """Check that requests can be served.

        Returns 503 with the same body if the database or the message bus does not respond. The object store, Redis and the streams of events are reported but not required.

        `GET /readyz`
        """
        request = Request("GET", "/readyz")
        return run(self._core.json(request, GetReadinessResponse.from_json, options))


class AsyncSystem(AsyncResource):
    async def get_liveness(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetLivenessResponse:
        """Check that the process is alive.

        `GET /livez`
        """
        request = Request("GET", "/livez")
        return await self._core.json(request, GetLivenessResponse.from_json, options)

    async def get_readiness(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetReadinessResponse:
        """Check that requests can be served.

        Returns 503 with the same body if the database or the message bus does not respond. The object store, Redis and the streams of events are reported but not required.

        `GET /readyz`
        """
        request = Request("GET", "/readyz")
        return await self._core.json(request, GetReadinessResponse.from_json, options)
