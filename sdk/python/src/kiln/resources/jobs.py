"""`kiln.jobs`."""

from __future__ import annotations

from typing import Optional

from ..core.run import run
from ..core.wait import DEADLINE_SECONDS, wait_until
from ..generated.jobs import AsyncJobs as GeneratedAsyncJobs
from ..generated.jobs import Jobs as GeneratedJobs
from ..generated.models import JobDetail


def _has_ended(job: JobDetail) -> bool:
    return job.status in ("completed", "failed", "cancelled")


class Jobs(GeneratedJobs):
    def wait_for(
        self, id: str, *, deadline_seconds: float = DEADLINE_SECONDS, max_retries: Optional[float] = None
    ) -> JobDetail:
        """Waits until the job has completed, failed or been cancelled, and returns it.

        It outlasts outages, unless `max_retries` is given. Raises KilnTimeoutError after `deadline_seconds`.
        """
        jobs = AsyncJobs(self._core)
        return run(jobs.wait_for(id, deadline_seconds=deadline_seconds, max_retries=max_retries))


class AsyncJobs(GeneratedAsyncJobs):
    async def wait_for(
        self, id: str, *, deadline_seconds: float = DEADLINE_SECONDS, max_retries: Optional[float] = None
    ) -> JobDetail:
        """See `Jobs.wait_for`."""
        return await wait_until(
            self._core.io,
            lambda wait, options: self.get(id, wait=wait, options=options),
            _has_ended,
            deadline_seconds,
            max_retries,
        )
