"""`kiln.batches`."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from ..core.options import RequestOptions
from ..core.run import run
from ..core.wait import DEADLINE_SECONDS, wait_until
from ..generated.batches import AsyncBatches as GeneratedAsyncBatches
from ..generated.batches import Batches as GeneratedBatches
from ..generated.models import GetBatchResponse
from ..generated.params import UploadFields
from ..uploads.upload_batch import BatchEntry, BatchUpload, upload_batch
from ..uploads.upload_folder import Folder, FolderChoice, FolderProgress, FolderUpload, upload_folder
from ..uploads.upload_options import OnProgress


class Batches(GeneratedBatches):
    def upload(
        self,
        entries: Sequence[BatchEntry],
        *,
        on_progress: Optional[OnProgress] = None,
        options: Optional[RequestOptions] = None,
    ) -> BatchUpload:
        """Uploads at most 50 files as one batch, four at a time, each `{"source": path, "space": …}`.

        A file that fails has an `error` in the result, and does not end the others.
        """
        return run(upload_batch(self._core, entries, options, on_progress))

    def upload_folder(
        self,
        folder: Folder,
        *,
        filter: Optional[Callable[[str], bool]] = None,
        fields: Optional[Callable[[str], UploadFields]] = None,
        on_progress: Optional[Callable[[FolderProgress], None]] = None,
        options: Optional[RequestOptions] = None,
    ) -> FolderUpload:
        """Uploads the files of a folder and of the folders in it, in batches of 50.

        `filter` and `fields` get the path of a file in the folder. The metadata of a file is `{"path": path}` by default. Symbolic links are
        not followed. A file that fails has an `error`, and does not end the others.
        """
        return run(upload_folder(self._core, folder, FolderChoice(filter, fields, on_progress), options))

    def wait_for(
        self, id: str, *, deadline_seconds: float = DEADLINE_SECONDS, max_retries: Optional[float] = None
    ) -> GetBatchResponse:
        """Waits until no file of the batch is in progress or still to be added, and returns the batch.

        It outlasts outages, unless `max_retries` is given. Raises KilnTimeoutError after `deadline_seconds`.
        """
        batches = AsyncBatches(self._core)
        return run(batches.wait_for(id, deadline_seconds=deadline_seconds, max_retries=max_retries))


class AsyncBatches(GeneratedAsyncBatches):
    async def upload(
        self,
        entries: Sequence[BatchEntry],
        *,
        on_progress: Optional[OnProgress] = None,
        options: Optional[RequestOptions] = None,
    ) -> BatchUpload:
        """See `Batches.upload`."""
        return await upload_batch(self._core, entries, options, on_progress)

    async def upload_folder(
        self,
        folder: Folder,
        *,
        filter: Optional[Callable[[str], bool]] = None,
        fields: Optional[Callable[[str], UploadFields]] = None,
        on_progress: Optional[Callable[[FolderProgress], None]] = None,
        options: Optional[RequestOptions] = None,
    ) -> FolderUpload:
        """See `Batches.upload_folder`."""
        return await upload_folder(self._core, folder, FolderChoice(filter, fields, on_progress), options)

    async def wait_for(
        self, id: str, *, deadline_seconds: float = DEADLINE_SECONDS, max_retries: Optional[float] = None
    ) -> GetBatchResponse:
        """See `Batches.wait_for`."""
        return await wait_until(
            self._core.io,
            lambda wait, options: self.get(id, wait=wait, options=options),
            # Servers of 0.2 send no `rest`.
            lambda batch: batch.in_progress == 0 and batch.rest != "follows",
            deadline_seconds,
            max_retries,
        )
