# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    CancelJobResponse,
    CancelJobsResponse,
    Job,
    JobDetail,
    ListJobsResponse,
    RetryJobResponse,
)
from .params import CancelJobsRequestSelection


class Jobs(Resource):
    def cancel_many(
        self,
        *,
        job_ids: Optional[Sequence[str]] = None,
        selection: Optional[CancelJobsRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> CancelJobsResponse:
        """Cancel up to 100 jobs.

        Send either `job_ids` or a `selection` of queued and processing jobs. Each job is cancelled as by a request for it alone; `errors` lists those that were not. Of a larger selection, 100 jobs are cancelled, and `more` is true.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/cancel`
        """
        request = Request(
            "POST",
            "/v1/jobs/cancel",
            body=body_of({"job_ids": job_ids, "selection": selection}),
            is_keyed=True,
        )
        return run(self._core.json(request, CancelJobsResponse.from_json, options))

    def retry_many(
        self,
        *,
        job_ids: Optional[Sequence[str]] = None,
        selection: Optional[CancelJobsRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> CancelJobsResponse:
        """Retry up to 100 failed jobs.

        Send either `job_ids` or a `selection` of failed jobs. Each job is retried as by a request for it alone; `errors` lists those that were not. Of a larger selection, 100 jobs are retried, and `more` is true. Jobs that cannot be retried stay in the selection: see `errors`.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/retry`
        """
        request = Request(
            "POST",
            "/v1/jobs/retry",
            body=body_of({"job_ids": job_ids, "selection": selection}),
            is_keyed=True,
        )
        return run(self._core.json(request, CancelJobsResponse.from_json, options))

    def list(
        self,
        *,
        space: Optional[str] = None,
        status: Optional[Literal["queued", "processing", "completed", "failed", "cancelled"]] = None,
        file_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        since: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListJobsResponse, Job]:
        """List jobs.

        Returns the newest jobs first. Filters are combined with AND. By default, Kiln deletes a job 90 days after a newer job of its file has ended.

        Needs the scope `jobs:read`.

        `GET /v1/jobs`
        """
        request = Request(
            "GET",
            "/v1/jobs",
            query={
                "space": space,
                "status": status,
                "file_id": file_id,
                "batch_id": batch_id,
                "limit": limit,
                "cursor": cursor,
                "since": since,
            },
        )
        return PagedList(self._core.pages(request, ListJobsResponse.from_json, options), lambda page: page.jobs)

    def get(
        self,
        id: str,
        *,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> JobDetail:
        """Get a job with its timeline.

        `timeline` lists every step of every attempt: the provider, the duration, and the reason for a failure. An attempt whose worker died or was stopped ends as `interrupted`; the next attempt resumes after the last completed step. With `wait`, the response comes when the job has ended. By default, Kiln deletes a job 90 days after a newer job of its file has ended; the newest job is kept as long as the file.

        Needs the scope `jobs:read`.

        `GET /v1/jobs/{id}`
        """
        request = Request("GET", "/v1/jobs/{id}", parameters=(id,), query={"wait": wait})
        return run(self._core.json(request, JobDetail.from_json, options))

    def cancel(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> CancelJobResponse:
        """Cancel a queued or processing job.

        The job never completes, and later writes of its attempt are discarded. Its file returns to `uploaded`, or to `uploading` if the bytes are missing. Existing variants are kept. Returns 409 if the job has already ended.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/{id}/cancel`
        """
        request = Request("POST", "/v1/jobs/{id}/cancel", parameters=(id,), is_keyed=True)
        return run(self._core.json(request, CancelJobResponse.from_json, options))

    def retry(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RetryJobResponse:
        """Retry a failed job.

        The job resumes after the last completed step. Returns 409 if the job has not failed, if its file has a newer job, or if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not respond.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/{id}/retry`
        """
        request = Request("POST", "/v1/jobs/{id}/retry", parameters=(id,), is_keyed=True)
        return run(self._core.json(request, RetryJobResponse.from_json, options))


class AsyncJobs(AsyncResource):
    async def cancel_many(
        self,
        *,
        job_ids: Optional[Sequence[str]] = None,
        selection: Optional[CancelJobsRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> CancelJobsResponse:
        """Cancel up to 100 jobs.

        Send either `job_ids` or a `selection` of queued and processing jobs. Each job is cancelled as by a request for it alone; `errors` lists those that were not. Of a larger selection, 100 jobs are cancelled, and `more` is true.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/cancel`
        """
        request = Request(
            "POST",
            "/v1/jobs/cancel",
            body=body_of({"job_ids": job_ids, "selection": selection}),
            is_keyed=True,
        )
        return await self._core.json(request, CancelJobsResponse.from_json, options)

    async def retry_many(
        self,
        *,
        job_ids: Optional[Sequence[str]] = None,
        selection: Optional[CancelJobsRequestSelection] = None,
        options: Optional[RequestOptions] = None,
    ) -> CancelJobsResponse:
        """Retry up to 100 failed jobs.

        Send either `job_ids` or a `selection` of failed jobs. Each job is retried as by a request for it alone; `errors` lists those that were not. Of a larger selection, 100 jobs are retried, and `more` is true. Jobs that cannot be retried stay in the selection: see `errors`.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/retry`
        """
        request = Request(
            "POST",
            "/v1/jobs/retry",
            body=body_of({"job_ids": job_ids, "selection": selection}),
            is_keyed=True,
        )
        return await self._core.json(request, CancelJobsResponse.from_json, options)

    def list(
        self,
        *,
        space: Optional[str] = None,
        status: Optional[Literal["queued", "processing", "completed", "failed", "cancelled"]] = None,
        file_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        since: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListJobsResponse, Job]:
        """List jobs.

        Returns the newest jobs first. Filters are combined with AND. By default, Kiln deletes a job 90 days after a newer job of its file has ended.

        Needs the scope `jobs:read`.

        `GET /v1/jobs`
        """
        request = Request(
            "GET",
            "/v1/jobs",
            query={
                "space": space,
                "status": status,
                "file_id": file_id,
                "batch_id": batch_id,
                "limit": limit,
                "cursor": cursor,
                "since": since,
            },
        )
        return AsyncPagedList(self._core.pages(request, ListJobsResponse.from_json, options), lambda page: page.jobs)

    async def get(
        self,
        id: str,
        *,
        wait: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> JobDetail:
        """Get a job with its timeline.

        `timeline` lists every step of every attempt: the provider, the duration, and the reason for a failure. An attempt whose worker died or was stopped ends as `interrupted`; the next attempt resumes after the last completed step. With `wait`, the response comes when the job has ended. By default, Kiln deletes a job 90 days after a newer job of its file has ended; the newest job is kept as long as the file.

        Needs the scope `jobs:read`.

        `GET /v1/jobs/{id}`
        """
        request = Request("GET", "/v1/jobs/{id}", parameters=(id,), query={"wait": wait})
        return await self._core.json(request, JobDetail.from_json, options)

    async def cancel(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> CancelJobResponse:
        """Cancel a queued or processing job.

        The job never completes, and later writes of its attempt are discarded. Its file returns to `uploaded`, or to `uploading` if the bytes are missing. Existing variants are kept. Returns 409 if the job has already ended.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/{id}/cancel`
        """
        request = Request("POST", "/v1/jobs/{id}/cancel", parameters=(id,), is_keyed=True)
        return await self._core.json(request, CancelJobResponse.from_json, options)

    async def retry(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RetryJobResponse:
        """Retry a failed job.

        The job resumes after the last completed step. Returns 409 if the job has not failed, if its file has a newer job, or if the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not respond.

        Needs the scope `jobs:write`.

        `POST /v1/jobs/{id}/retry`
        """
        request = Request("POST", "/v1/jobs/{id}/retry", parameters=(id,), is_keyed=True)
        return await self._core.json(request, RetryJobResponse.from_json, options)
