# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import Literal, Mapping, Sequence, TypedDict


class UploadRequestChunking(TypedDict, total=False):
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


class BeginUploadRequestChunking(TypedDict, total=False):
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


class CompleteUploadRequestPart(TypedDict):
    part_number: int
    etag: str


class DeleteFilesRequestSelection(TypedDict, total=False):
    """Files that fulfil all these conditions, as a list has them, newest first."""

    space: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    metadata: Mapping[str, str]
    external_id: str
    """The id of the file in your system. No two files of the organization have the same one."""
    search: str
    """Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched."""
    filter: Mapping[str, object]
    """Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.

    Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.

    Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
    """


class CreateFileRequestChunking(TypedDict, total=False):
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


class ReceiveExtractionResultRequestPage(TypedDict):
    markdown: str


class ReceiveExtractionResultRequestError(TypedDict):
    """Instead of text: why the file cannot be read, for its owner."""

    code: Literal["unsupported_type", "corrupt_file", "encrypted_file", "file_too_large"]
    message: str


class _UploadRequestRequired(TypedDict):
    filename: str


class UploadRequest(_UploadRequestRequired, total=False):
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]
    embedding_model: str
    chunking: UploadRequestChunking
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""
    variants: Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped."""
    space: str
    """Default: `default`. If the upload replaces the content of a file, the default is the space of that file."""
    content_type: str
    size_bytes: int
    skip_processing: bool
    metadata: Mapping[str, str]
    """Default: none. If the upload replaces the content of a file, the default is the metadata of that file."""
    external_id: str
    """The id of the file in your system. No two files of the organization have the same one."""
    on_conflict: Literal["fail", "replace"]
    """What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, name, type and processing options. Its variants are deleted, and it is processed again."""


class ProcessFileRequestChunking(TypedDict, total=False):
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


class ProcessBatchRequestChunking(TypedDict, total=False):
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


class ProcessBatchRequestSelection(TypedDict, total=False):
    """Files that fulfil all these conditions, as a list has them, newest first."""

    space: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    metadata: Mapping[str, str]
    external_id: str
    """The id of the file in your system. No two files of the organization have the same one."""
    search: str
    """Files whose name contains this text, or whose content has all of its words, in any order. Case does not matter. Words are found in all their forms, and stop words are ignored, as by `POST /v1/search`; quotes and minuses have no special meaning. Only the names of files without the variant `searchable-index` are searched."""
    filter: Mapping[str, object]
    """Files must pass this filter: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or a test of one field such as `{"metadata.year": {"gte": 2020}}`. At most 3 levels and 30 comparisons.

    Fields: `metadata.<key>`, `space`, `content_type`, `created_at`, `file_id`, `external_id`, `status`. Comparisons: `eq`, `in`, `exists`, and for metadata and `created_at` also `gt`, `gte`, `lt`, `lte`. Numbers are compared as numbers, and ISO 8601 dates as dates; other values do not match a range. A missing value matches nothing but `{"exists": false}`.

    Searches and questions compare the best 1,000 files with it. Tests of `metadata.<key>`, `space` and `content_type` with `eq` and text, and of `file_id` with `eq` or `in`, are looked up among all files before, at the top or in an `and` at the top.
    """


class CancelJobsRequestSelection(TypedDict, total=False):
    """Jobs that fulfil all these conditions, newest first."""

    space: str
    file_id: str
    batch_id: str
    since: str
    """Only jobs that were created at or after this time."""


class SearchRequestHybrid(TypedDict):
    """The share of meaning in the score. Requires the mode `hybrid`."""

    weight: float
    """From 0, text only, to 1, meaning only."""


class _SearchRequestRecencyRequired(TypedDict):
    """Prefers newer files: a share of the score halves with each half-life since the upload."""

    half_life_days: float
    """After this time, `weight` has halved."""


class SearchRequestRecency(_SearchRequestRecencyRequired, total=False):
    """Prefers newer files: a share of the score halves with each half-life since the upload."""

    weight: float
    """The share of the score that fades."""


class QuestionRequestHistory(TypedDict):
    role: Literal["user", "assistant"]
    content: str


class QuestionRequestAnswerFormat(TypedDict):
    """Asks for an answer in JSON. `answer` is then its text and `json` its value, which matches the schema, or null if the files do not answer the question. Requires a chat model."""

    type: Literal["json"]
    schema: Mapping[str, object]
    """A JSON Schema of type `object`, at most 16,000 characters long. Keywords: `type`, `properties`, `required`, `additionalProperties` (true or false), `items`, `anyOf`, `enum`, `const`, `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `title`, `description`."""


class UpdateSettingsRequestDefaultChunking(TypedDict, total=False):
    """Replaced as a whole. Omitted fields have the standard values."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


class SetRoutingRulesRequestRule(TypedDict):
    content_type: str
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]


class SearchPortalRequestHybrid(TypedDict):
    """The share of meaning in the score. Requires the mode `hybrid`."""

    weight: float
    """From 0, text only, to 1, meaning only."""


class _SearchPortalRequestRecencyRequired(TypedDict):
    """Prefers newer files: a share of the score halves with each half-life since the upload."""

    half_life_days: float
    """After this time, `weight` has halved."""


class SearchPortalRequestRecency(_SearchPortalRequestRecencyRequired, total=False):
    """Prefers newer files: a share of the score halves with each half-life since the upload."""

    weight: float
    """The share of the score that fades."""


class AnswerPortalQuestionRequestHistory(TypedDict):
    role: Literal["user", "assistant"]
    content: str


class AnswerPortalQuestionRequestAnswerFormat(TypedDict):
    """Asks for an answer in JSON. `answer` is then its text and `json` its value, which matches the schema, or null if the files do not answer the question. Requires a chat model."""

    type: Literal["json"]
    schema: Mapping[str, object]
    """A JSON Schema of type `object`, at most 16,000 characters long. Keywords: `type`, `properties`, `required`, `additionalProperties` (true or false), `items`, `anyOf`, `enum`, `const`, `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `title`, `description`."""


class VerifyConnectionRequestNotifications(TypedDict):
    type: Literal["sqs", "pubsub", "storage_queue"]
    """`sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure."""
    queue: str
    """The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account."""


class _VerifyConnectionRequestInventoryRequired(TypedDict):
    prefix: str
    """Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory."""


class VerifyConnectionRequestInventory(_VerifyConnectionRequestInventoryRequired, total=False):
    bucket: str
    """The bucket of the inventories. Default: that of the connection."""
    max_age_hours: int
    """A sync lists the bucket when no inventory is newer. Default: 48."""


class CreateConnectionRequestNotifications(TypedDict):
    type: Literal["sqs", "pubsub", "storage_queue"]
    """`sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure."""
    queue: str
    """The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account."""


class _CreateConnectionRequestInventoryRequired(TypedDict):
    prefix: str
    """Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory."""


class CreateConnectionRequestInventory(_CreateConnectionRequestInventoryRequired, total=False):
    bucket: str
    """The bucket of the inventories. Default: that of the connection."""
    max_age_hours: int
    """A sync lists the bucket when no inventory is newer. Default: 48."""


class UpdateConnectionRequestNotifications(TypedDict):
    type: Literal["sqs", "pubsub", "storage_queue"]
    """`sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure."""
    queue: str
    """The URL of an SQS queue, a Pub/Sub subscription, or the name of a queue in the storage account."""


class _UpdateConnectionRequestInventoryRequired(TypedDict):
    prefix: str
    """Where the inventories are stored: the prefix of their dates, with the names of the source bucket and of the inventory."""


class UpdateConnectionRequestInventory(_UpdateConnectionRequestInventoryRequired, total=False):
    bucket: str
    """The bucket of the inventories. Default: that of the connection."""
    max_age_hours: int
    """A sync lists the bucket when no inventory is newer. Default: 48."""


class UploadFields(TypedDict, total=False):
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]
    embedding_model: str
    chunking: UploadFieldsChunking
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""
    variants: Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants to make. Default: the `default_variants` of the organization. `thumbnails` is made only when it is named. A variant that does not apply to the type of the file is skipped."""
    filename: str
    space: str
    """Default: `default`. If the upload replaces the content of a file, the default is the space of that file."""
    content_type: str
    skip_processing: bool
    metadata: Mapping[str, str]
    """Default: none. If the upload replaces the content of a file, the default is the metadata of that file."""
    external_id: str
    """The id of the file in your system. No two files of the organization have the same one."""
    on_conflict: Literal["fail", "replace"]
    """What happens if a file has the `external_id`. `fail`, the default: the response is 409. `replace`: the file keeps its id and gets the new content, name, type and processing options. Its variants are deleted, and it is processed again."""


class UploadFieldsChunking(TypedDict, total=False):
    """Omitted fields have the value of the `default_chunking` of the organization. The value of an omitted field is adapted to that of a given one: an overlap is at most half of the size."""

    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int
