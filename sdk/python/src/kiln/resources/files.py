"""`kiln.files`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ..core.options import RequestOptions
from ..core.run import run
from ..generated.files import AsyncFiles as GeneratedAsyncFiles
from ..generated.files import Files as GeneratedFiles
from ..uploads.source import Uploadable
from ..uploads.stored_file import StoredFile
from ..uploads.upload_file import upload_file
from ..uploads.upload_options import OnProgress

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..generated.params import UploadFields


class Files(GeneratedFiles):
    def upload(
        self,
        source: Uploadable,
        *,
        on_progress: Optional[OnProgress] = None,
        options: Optional[RequestOptions] = None,
        **fields: Unpack[UploadFields],
    ) -> StoredFile:
        """Uploads a file.

        A path, bytes and a file that can seek are sent to the object store, with retries. Another file is sent through the gateway, once,
        because it cannot be read again; so are the bytes at a URL, which this process downloads.

        Returns when all bytes are stored. Processing then starts: `kiln.jobs.wait_for(file.job_id)`.
        """
        return run(upload_file(self._core, source, fields, options, on_progress))


class AsyncFiles(GeneratedAsyncFiles):
    async def upload(
        self,
        source: Uploadable,
        *,
        on_progress: Optional[OnProgress] = None,
        options: Optional[RequestOptions] = None,
        **fields: Unpack[UploadFields],
    ) -> StoredFile:
        """See `Files.upload`."""
        return await upload_file(self._core, source, fields, options, on_progress)
