"""Uploads several files with one registration."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence

from ..core.errors import KilnError
from ..core.io import Io
from ..core.options import RequestOptions
from ..core.request import Request
from ..core.transport import Core
from ..generated.models import UploadBatchResponse, UploadBatchResponseFile, UploadBatchResponseFileWithError
from ..generated.params import UploadFields
from .put_bytes import put_bytes
from .source import Repeatable, RepeatableSource, source_of
from .stored_file import StoredFile, stored_file_of
from .upload_file import registration
from .upload_options import OnProgress, UploadProgress, checked_fields, registering_options

_CONCURRENT_MAX = 4


class BatchEntry(UploadFields):
    """The source, and the fields of its upload."""

    source: Repeatable


@dataclass(frozen=True)
class UploadFailure:
    code: str
    message: str


@dataclass(frozen=True)
class BatchFile:
    """Either `file` or `error` is not None."""

    file: Optional[StoredFile] = None
    error: Optional[UploadFailure] = None


UNREADABLE = BatchFile(error=UploadFailure("UNREADABLE", "The file cannot be read."))


@dataclass(frozen=True)
class BatchUpload:
    batch_id: str
    #: In the order of the entries.
    files: List[BatchFile]


async def upload_batch(
    core: Core,
    entries: Sequence[BatchEntry],
    options: Optional[RequestOptions],
    on_progress: Optional[OnProgress],
) -> BatchUpload:
    sources = [_repeatable(core.io, entry["source"]) for entry in entries]
    fields = [checked_fields({name: one for name, one in entry.items() if name != "source"}) for entry in entries]
    body = {"files": [registration(source, one) for source, one in zip(sources, fields)]}
    request = Request("POST", "/v1/upload/batch", body=body, is_keyed=True)
    registered = await core.json(request, UploadBatchResponse.from_json, registering_options(options))
    progress = _TotalProgress(sum(source.size_bytes for source in sources), on_progress)

    async def send(file: object) -> BatchFile:
        if isinstance(file, UploadBatchResponseFileWithError):
            return BatchFile(error=UploadFailure(file.error.code, file.error.message))
        if not isinstance(file, UploadBatchResponseFile):
            raise KilnError("INVALID_RESPONSE", "The server returned no URL for the bytes.", retryable=False)
        try:
            source = sources[file.index]
            await put_bytes(core, file.upload_url, file.upload_headers, source, options, progress.of(file.index))
            return BatchFile(file=stored_file_of(file))
        except KilnError as error:
            return BatchFile(error=UploadFailure(error.code, error.message))
        except OSError:
            # A file on disk that has gone meanwhile, for example.
            return UNREADABLE

    return BatchUpload(registered.batch_id, await core.io.map(send, registered.files, _CONCURRENT_MAX))


def _repeatable(io: Io, source: Repeatable) -> RepeatableSource:
    found = source_of(io, source)
    if not isinstance(found, RepeatableSource):
        raise TypeError("A file of a batch must be seekable: use kiln.files.upload.")
    return found


class _TotalProgress:
    """Adds up the bytes of all files, which threads can send."""

    def __init__(self, total_bytes: int, on_progress: Optional[OnProgress]) -> None:
        self._total_bytes = total_bytes
        self._on_progress = on_progress
        self._sent: Dict[int, int] = {}
        self._lock = threading.Lock()

    def of(self, index: int) -> Optional[OnProgress]:
        on_progress = self._on_progress
        if on_progress is None:
            return None

        def report(progress: UploadProgress) -> None:
            with self._lock:
                self._sent[index] = progress.sent_bytes
                on_progress(UploadProgress(sum(self._sent.values()), self._total_bytes))

        return report
