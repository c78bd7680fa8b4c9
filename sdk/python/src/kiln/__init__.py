"""The Python SDK of the Kiln API. `kiln.models` has the types of responses, `kiln.webhooks` verifies webhooks."""

from .core.client import AsyncKiln, Kiln
from .core.decode import Model, UnknownModel
from .core.errors import (
    BadRequestError,
    BucketUnavailableError,
    ConflictError,
    ForbiddenError,
    GoneError,
    KilnApiError,
    KilnConnectionError,
    KilnError,
    KilnTimeoutError,
    NotFoundError,
    PayloadTooLargeError,
    QuotaExceededError,
    RateLimitedError,
    ServerError,
    UnauthorizedError,
)
from .core.options import RequestOptions
from .core.paging import AsyncPagedList, PagedList
from .core.request import OMITTED, Omitted
from .core.streams import AsyncStream, Stream
from .events.event_stream import AsyncEventStream, EventStream
from .events.streamed_event import JobProgressEvent, StreamedEvent
from .generated.events import EventType, KilnEvent
from .generated.version import API_VERSION
from .uploads.stored_file import StoredFile
from .uploads.upload_batch import BatchEntry, BatchFile, BatchUpload, UploadFailure
from .uploads.upload_folder import FolderFile, FolderProgress, FolderUpload
from .uploads.upload_options import UploadProgress

__all__ = [
    "API_VERSION",
    "OMITTED",
    "AsyncEventStream",
    "AsyncKiln",
    "AsyncPagedList",
    "AsyncStream",
    "BadRequestError",
    "BatchEntry",
    "BatchFile",
    "BatchUpload",
    "BucketUnavailableError",
    "ConflictError",
    "EventStream",
    "EventType",
    "FolderFile",
    "FolderProgress",
    "FolderUpload",
    "ForbiddenError",
    "GoneError",
    "JobProgressEvent",
    "Kiln",
    "KilnApiError",
    "KilnConnectionError",
    "KilnError",
    "KilnEvent",
    "KilnTimeoutError",
    "Model",
    "NotFoundError",
    "Omitted",
    "PagedList",
    "PayloadTooLargeError",
    "QuotaExceededError",
    "RateLimitedError",
    "RequestOptions",
    "ServerError",
    "StoredFile",
    "Stream",
    "StreamedEvent",
    "UnauthorizedError",
    "UnknownModel",
    "UploadFailure",
    "UploadProgress",
]
