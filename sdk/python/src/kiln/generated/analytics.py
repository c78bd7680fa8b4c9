# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Optional

from ..core.options import RequestOptions
from ..core.request import Request
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    GetDailyTimesResponse,
    GetFileTypesResponse,
    GetOverviewResponse,
    GetProcessingResponse,
    GetProvidersResponse,
    GetSpaceHealthResponse,
    GetStorageGrowthResponse,
    GetTrendsResponse,
    GetVolumeResponse,
    ListFailuresResponse,
    ListTopFailuresResponse,
)


class Analytics(Resource):
    def get_overview(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetOverviewResponse:
        """Get an overview.

        Counts what exists now, as the lists show it. Deleted files, their jobs and their variants are not counted. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/overview`
        """
        request = Request("GET", "/v1/analytics/overview")
        return run(self._core.json(request, GetOverviewResponse.from_json, options))

    def get_file_types(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetFileTypesResponse:
        """Get files by content type.

        Counts the files that exist now. The types with the most files come first, at most 1,000. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/file-types`
        """
        request = Request("GET", "/v1/analytics/file-types")
        return run(self._core.json(request, GetFileTypesResponse.from_json, options))

    def get_space_health(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSpaceHealthResponse:
        """Get the health of spaces.

        Counts the files that exist now. The spaces with the most files come first, at most 1,000; spaces without files are left out. `health_score` is the percentage of files that have not failed. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/spaces`
        """
        request = Request("GET", "/v1/analytics/spaces")
        return run(self._core.json(request, GetSpaceHealthResponse.from_json, options))

    def get_processing(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetProcessingResponse:
        """Get processing times.

        Returns how long the runs took that completed a job. Covers the last `days` × 24 hours, from the beginning of the first hour. Percentiles are exact to within 2 %. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/processing`
        """
        request = Request("GET", "/v1/analytics/processing", query={"days": days})
        return run(self._core.json(request, GetProcessingResponse.from_json, options))

    def get_daily_times(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetDailyTimesResponse:
        """Get daily processing times.

        Returns how long the runs took that completed a job, by the day on which it completed. One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Percentiles are exact to within 2 %. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/processing/daily`
        """
        request = Request("GET", "/v1/analytics/processing/daily", query={"days": days})
        return run(self._core.json(request, GetDailyTimesResponse.from_json, options))

    def get_providers(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetProvidersResponse:
        """Get the results of providers.

        Counts each time a job completed or failed. Covers the last `days` × 24 hours, from the beginning of the first hour. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/providers`
        """
        request = Request("GET", "/v1/analytics/providers", query={"days": days})
        return run(self._core.json(request, GetProvidersResponse.from_json, options))

    def get_volume(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetVolumeResponse:
        """Get the daily volume.

        One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Later deletions change nothing. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/volume`
        """
        request = Request("GET", "/v1/analytics/volume", query={"days": days})
        return run(self._core.json(request, GetVolumeResponse.from_json, options))

    def get_trends(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetTrendsResponse:
        """Get daily trends.

        One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Later deletions change nothing. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/trends`
        """
        request = Request("GET", "/v1/analytics/trends", query={"days": days})
        return run(self._core.json(request, GetTrendsResponse.from_json, options))

    def get_storage_growth(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetStorageGrowthResponse:
        """Get the growth of storage.

        One entry for each day in UTC, oldest first, today included. Days without activity have zeros. A file counts from the day it was added to the day it was deleted, with its present size. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/storage-growth`
        """
        request = Request("GET", "/v1/analytics/storage-growth", query={"days": days})
        return run(self._core.json(request, GetStorageGrowthResponse.from_json, options))

    def list_failures(
        self,
        *,
        limit: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> ListFailuresResponse:
        """List recent failures.

        Returns the failed jobs, newest first. Jobs that were retried, or whose file was deleted, are left out. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/failures`
        """
        request = Request("GET", "/v1/analytics/failures", query={"limit": limit})
        return run(self._core.json(request, ListFailuresResponse.from_json, options))

    def list_top_failures(
        self,
        *,
        limit: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> ListTopFailuresResponse:
        """List the most frequent failures.

        Counts each time a job failed, by reason, the most frequent first. Later retries and deletions change nothing. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/top-failures`
        """
        request = Request("GET", "/v1/analytics/top-failures", query={"limit": limit})
        return run(self._core.json(request, ListTopFailuresResponse.from_json, options))


class AsyncAnalytics(AsyncResource):
    async def get_overview(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetOverviewResponse:
        """Get an overview.

        Counts what exists now, as the lists show it. Deleted files, their jobs and their variants are not counted. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/overview`
        """
        request = Request("GET", "/v1/analytics/overview")
        return await self._core.json(request, GetOverviewResponse.from_json, options)

    async def get_file_types(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetFileTypesResponse:
        """Get files by content type.

        Counts the files that exist now. The types with the most files come first, at most 1,000. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/file-types`
        """
        request = Request("GET", "/v1/analytics/file-types")
        return await self._core.json(request, GetFileTypesResponse.from_json, options)

    async def get_space_health(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSpaceHealthResponse:
        """Get the health of spaces.

        Counts the files that exist now. The spaces with the most files come first, at most 1,000; spaces without files are left out. `health_score` is the percentage of files that have not failed. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/spaces`
        """
        request = Request("GET", "/v1/analytics/spaces")
        return await self._core.json(request, GetSpaceHealthResponse.from_json, options)

    async def get_processing(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetProcessingResponse:
        """Get processing times.

        Returns how long the runs took that completed a job. Covers the last `days` × 24 hours, from the beginning of the first hour. Percentiles are exact to within 2 %. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/processing`
        """
        request = Request("GET", "/v1/analytics/processing", query={"days": days})
        return await self._core.json(request, GetProcessingResponse.from_json, options)

    async def get_daily_times(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetDailyTimesResponse:
        """Get daily processing times.

        Returns how long the runs took that completed a job, by the day on which it completed. One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Percentiles are exact to within 2 %. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/processing/daily`
        """
        request = Request("GET", "/v1/analytics/processing/daily", query={"days": days})
        return await self._core.json(request, GetDailyTimesResponse.from_json, options)

    async def get_providers(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetProvidersResponse:
        """Get the results of providers.

        Counts each time a job completed or failed. Covers the last `days` × 24 hours, from the beginning of the first hour. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/providers`
        """
        request = Request("GET", "/v1/analytics/providers", query={"days": days})
        return await self._core.json(request, GetProvidersResponse.from_json, options)

    async def get_volume(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetVolumeResponse:
        """Get the daily volume.

        One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Later deletions change nothing. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/volume`
        """
        request = Request("GET", "/v1/analytics/volume", query={"days": days})
        return await self._core.json(request, GetVolumeResponse.from_json, options)

    async def get_trends(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetTrendsResponse:
        """Get daily trends.

        One entry for each day in UTC, oldest first, today included. Days without activity have zeros. Later deletions change nothing. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/trends`
        """
        request = Request("GET", "/v1/analytics/trends", query={"days": days})
        return await self._core.json(request, GetTrendsResponse.from_json, options)

    async def get_storage_growth(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetStorageGrowthResponse:
        """Get the growth of storage.

        One entry for each day in UTC, oldest first, today included. Days without activity have zeros. A file counts from the day it was added to the day it was deleted, with its present size. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/storage-growth`
        """
        request = Request("GET", "/v1/analytics/storage-growth", query={"days": days})
        return await self._core.json(request, GetStorageGrowthResponse.from_json, options)

    async def list_failures(
        self,
        *,
        limit: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> ListFailuresResponse:
        """List recent failures.

        Returns the failed jobs, newest first. Jobs that were retried, or whose file was deleted, are left out. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/failures`
        """
        request = Request("GET", "/v1/analytics/failures", query={"limit": limit})
        return await self._core.json(request, ListFailuresResponse.from_json, options)

    async def list_top_failures(
        self,
        *,
        limit: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> ListTopFailuresResponse:
        """List the most frequent failures.

        Counts each time a job failed, by reason, the most frequent first. Later retries and deletions change nothing. An event shows within 5 seconds.

        Needs the scope `analytics:read`.

        `GET /v1/analytics/top-failures`
        """
        request = Request("GET", "/v1/analytics/top-failures", query={"limit": limit})
        return await self._core.json(request, ListTopFailuresResponse.from_json, options)
