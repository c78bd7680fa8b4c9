# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Literal, Optional, Union

from ..core.decode import Model, decode


@dataclass
class SignedUpload(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    upload_url: str
    upload_method: Literal["PUT"]
    upload_headers: Dict[str, str]
    expires_in: int
    """The number of seconds until the URL expires."""


@dataclass
class UploadResponseWithSha256(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    sha256: str
    """SHA-256 of the bytes in lower-case hexadecimal."""
    error: Optional[JobError] = None
    """With `wait`: why the job failed, or null."""
    variants: Optional[List[Variant]] = None
    """With `wait`: the variants. Empty unless the job has completed."""


@dataclass
class JobError(Model):
    code: Literal["unsupported_type", "corrupt_file", "encrypted_file", "file_too_large", "provider_unauthorized", "provider_unavailable", "upload_expired", "quota_exceeded", "timeout", "internal"]
    message: str
    retryable: bool


@dataclass
class Variant(Model):
    id: str
    type: Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]
    content_type: str
    size_bytes: int
    created_at: str
    """UTC."""
    file_id: str
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]
    """The provider that read the file, also for a variant that is derived from its text."""
    content: Optional[str]
    """The content, up to 1 MiB. Null if larger; download it from `content_url`. `thumbnails` (image/webp, at most 512 pixels a side) is a data: URI here."""
    content_url: str
    """A signed URL that needs no credentials. It works until it expires or the content is deleted."""


@dataclass
class BeginUploadResponse(Model):
    id: str
    """The id of the upload, and of the file that it creates."""
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: int
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    part_bytes: int
    """The size of every part but the last, which has the rest of the bytes."""
    part_count: int
    expires_at: str
    """UTC. An upload that is not completed by then fails."""
    file_id: Optional[str] = None
    """With `on_conflict=replace`: the id of the file whose content the upload will replace. Otherwise the file has the id of the upload."""


@dataclass
class GetUploadResponse(Model):
    id: str
    """The id of the upload, and of the file that it creates."""
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: int
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    part_bytes: int
    """The size of every part but the last, which has the rest of the bytes."""
    part_count: int
    expires_at: str
    """UTC. An upload that is not completed by then fails."""
    parts: List[GetUploadResponsePart]
    """The parts that are stored, by their numbers. Empty once the upload has ended."""
    next_cursor: Optional[str]
    """Null on the last page."""
    file_id: Optional[str] = None
    """With `on_conflict=replace`: the id of the file whose content the upload will replace. Otherwise the file has the id of the upload."""


@dataclass
class GetUploadResponsePart(Model):
    part_number: int
    size_bytes: int
    etag: Optional[str]
    """The tag of the part. Null on Azure, which has none."""


@dataclass
class AbortUploadResponse(Model):
    deleted: Literal[True]


@dataclass
class SignUploadPartsResponse(Model):
    parts: List[SignUploadPartsResponsePart]
    expires_in: int
    """The number of seconds until the URLs expire. Request new ones then."""


@dataclass
class SignUploadPartsResponsePart(Model):
    part_number: int
    size_bytes: int
    """The number of bytes to send."""
    url: str
    """Send the bytes there with PUT. A part that is sent again replaces the earlier one."""
    headers: Dict[str, str]
    """The headers that the PUT must have."""


@dataclass
class CompleteUploadResponse(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""


@dataclass
class ListFilesResponse(Model):
    files: List[FileSummary]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class FileSummary(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""


@dataclass
class DeleteFilesResponse(Model):
    deleted: int
    """The number of deleted files. An id that was sent twice counts once."""
    errors: List[DeleteFilesResponseError]
    more: Optional[bool] = None
    """Whether more may be selected than the request has changed. Send it again to continue."""


@dataclass
class DeleteFilesResponseError(Model):
    file_id: str
    """The id as the request has sent it."""
    code: Literal["BAD_REQUEST", "UNAUTHORIZED", "QUOTA_EXCEEDED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "EVENTS_EXPIRED", "PAYLOAD_TOO_LARGE", "BUCKET_UNAVAILABLE", "SOURCE_UNAVAILABLE", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str


@dataclass
class CreateFileResponseWithSha256(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    sha256: str
    """SHA-256 of the bytes in lower-case hexadecimal."""
    error: Optional[JobError] = None
    """With `wait`: why the job failed, or null."""
    variants: Optional[List[Variant]] = None
    """With `wait`: the variants. Empty unless the job has completed."""


@dataclass
class File(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""
    metadata: Dict[str, str]
    sha256: Optional[str]
    """SHA-256 of the bytes in lower-case hexadecimal. Null until bytes sent to a signed URL have been processed."""
    variants: List[VariantSummary]


@dataclass
class VariantSummary(Model):
    id: str
    type: Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]
    content_type: str
    size_bytes: int
    created_at: str
    """UTC."""


@dataclass
class DeleteFileResponse(Model):
    deleted: Literal[True]


@dataclass
class ListFileChunksResponse(Model):
    chunks: List[ListFileChunksResponseChunk]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class ListFileChunksResponseChunk(Model):
    index: int
    """The position of the chunk in its file, from 0."""
    text: str
    start: int
    """Where the chunk begins in the markdown of the file, in UTF-16 units."""
    end: int
    """Where it ends. Chunks can overlap."""
    page: Optional[int]
    """The page on which the chunk begins. Null without pages."""
    regions: List[ListFileChunksResponseChunkRegion]
    """Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells."""
    headings: List[str]
    """The headings above the chunk, the outermost first."""


@dataclass
class ListFileChunksResponseChunkRegion(Model):
    page: int
    x: float
    """The left edge, as a share of the width of the page as it is shown."""
    y: float
    """The upper edge, as a share of the height."""
    width: float
    height: float


@dataclass
class DownloadFileResponse(Model):
    url: str
    """A signed URL. The response suggests the filename."""
    expires_in: int
    """The number of seconds until the URL expires."""


@dataclass
class ListVariantsResponse(Model):
    variants: List[Variant]


@dataclass
class ReceiveExtractionResultResponse(Model):
    accepted: bool


@dataclass
class UploadBatchResponse(Model):
    batch_id: str
    files: List[Union[UploadBatchResponseFile, UploadBatchResponseFileWithError]]
    """One element for each entry of the request, in the same order: an upload or an error."""


@dataclass
class UploadBatchResponseFile(Model):
    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    upload_url: str
    upload_method: Literal["PUT"]
    upload_headers: Dict[str, str]
    expires_in: int
    """The number of seconds until the URL expires."""
    index: int
    """The index of the entry in the request."""


@dataclass
class UploadBatchResponseFileWithError(Model):
    index: int
    """The index of the entry in the request."""
    error: UploadBatchResponseFileWithErrorError


@dataclass
class UploadBatchResponseFileWithErrorError(Model):
    code: Literal["BAD_REQUEST", "UNAUTHORIZED", "QUOTA_EXCEEDED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "EVENTS_EXPIRED", "PAYLOAD_TOO_LARGE", "BUCKET_UNAVAILABLE", "SOURCE_UNAVAILABLE", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str


@dataclass
class GetBatchResponse(Model):
    id: str
    total: int
    """The number of files in the batch that have not been deleted."""
    completed: int
    """The number of files that completed, or that were uploaded without processing."""
    failed: int
    cancelled: int
    """The number of files whose job was cancelled."""
    in_progress: int
    """The number of all other files. The batch has ended when it is 0 and `rest` is `none`."""
    rest: Literal["none", "follows"]
    """`follows` while files of a connection are still being added to the batch."""
    files: List[GetBatchResponseFile]
    """The first 1000 files."""


@dataclass
class GetBatchResponseFile(Model):
    id: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]


@dataclass
class ProcessFileResponse(Model):
    job_id: str
    file_id: str
    status: Literal["queued"]


@dataclass
class ProcessBatchResponse(Model):
    batch_id: str
    queued: int
    """The number of files queued, each counted once."""
    job_ids: List[str]
    """The jobs of the queued files, in the order of the request."""
    errors: List[ProcessBatchResponseError]
    rest: Optional[Literal["none", "follows", "quota_exceeded"]] = None
    """With `connection_id`: the state of the files not queued yet. `follows`: they are being queued in the background. `quota_exceeded`: send the request again when pages are available."""
    more: Optional[bool] = None
    """Whether more may be selected than the request has changed. Send it again to continue."""


@dataclass
class ProcessBatchResponseError(Model):
    code: Literal["BAD_REQUEST", "UNAUTHORIZED", "QUOTA_EXCEEDED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "EVENTS_EXPIRED", "PAYLOAD_TOO_LARGE", "BUCKET_UNAVAILABLE", "SOURCE_UNAVAILABLE", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str
    file_id: str


@dataclass
class ListSpacesResponse(Model):
    spaces: List[ListSpacesResponseSpace]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class ListSpacesResponseSpace(Model):
    space: str
    file_count: int


@dataclass
class GetSpaceStatsResponse(Model):
    space: str
    total_files: int
    total_size_bytes: int
    """The sum of `size_bytes` of its files."""
    status_counts: GetSpaceStatsResponseStatusCounts


@dataclass
class GetSpaceStatsResponseStatusCounts(Model):
    uploading: int
    uploaded: int
    processing: int
    completed: int
    failed: int


@dataclass
class DeleteSpaceResponse(Model):
    deleted: Literal[True]
    files_deleted: int


@dataclass
class CancelJobsResponse(Model):
    changed: int
    """The number of jobs that were changed."""
    errors: List[CancelJobsResponseError]
    """The jobs that were not changed, in the order of the request."""
    more: Optional[bool] = None
    """Whether more may be selected than the request has changed. Send it again to continue."""


@dataclass
class CancelJobsResponseError(Model):
    job_id: str
    code: Literal["BAD_REQUEST", "UNAUTHORIZED", "QUOTA_EXCEEDED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "EVENTS_EXPIRED", "PAYLOAD_TOO_LARGE", "BUCKET_UNAVAILABLE", "SOURCE_UNAVAILABLE", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str


@dataclass
class ListJobsResponse(Model):
    jobs: List[Job]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class Job(Model):
    id: str
    file_id: str
    space: str
    status: Literal["queued", "processing", "completed", "failed", "cancelled"]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    step: Optional[Literal["extract", "metadata", "thumbnails", "embed", "index", "finish"]]
    """The current step, or the last one that was attempted."""
    progress: float
    attempts: int
    """The number of attempts started so far."""
    error: Optional[JobError]
    batch_id: Optional[str]
    created_at: str
    """UTC."""
    started_at: Optional[str]
    completed_at: Optional[str]
    """When the job completed. Null unless it did."""
    ended_at: Optional[str]
    """When the job completed, failed or was cancelled."""


@dataclass
class JobDetail(Model):
    id: str
    file_id: str
    space: str
    status: Literal["queued", "processing", "completed", "failed", "cancelled"]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    step: Optional[Literal["extract", "metadata", "thumbnails", "embed", "index", "finish"]]
    """The current step, or the last one that was attempted."""
    progress: float
    attempts: int
    """The number of attempts started so far."""
    error: Optional[JobError]
    batch_id: Optional[str]
    created_at: str
    """UTC."""
    started_at: Optional[str]
    completed_at: Optional[str]
    """When the job completed. Null unless it did."""
    ended_at: Optional[str]
    """When the job completed, failed or was cancelled."""
    timeline: List[TimelineEntry]
    """Every step of the last 100 attempts, in the order in which they started."""


@dataclass
class TimelineEntry(Model):
    attempt: int
    """The attempt this step belongs to, counted from 1."""
    step: Optional[Literal["extract", "metadata", "thumbnails", "embed", "index", "finish"]]
    """Null for an attempt that ended before its first step."""
    provider: Optional[str]
    """The provider of the step. Null if the step used none."""
    status: Literal["running", "completed", "failed", "interrupted", "cancelled"]
    """`failed`: the attempt ended at this step, whether or not another followed. `interrupted`: its worker stopped or died."""
    started_at: str
    """UTC."""
    ended_at: Optional[str]
    duration_ms: Optional[int]
    error: Optional[TimelineEntryError]


@dataclass
class TimelineEntryError(Model):
    code: Literal["unsupported_type", "corrupt_file", "encrypted_file", "file_too_large", "provider_unauthorized", "provider_unavailable", "upload_expired", "quota_exceeded", "timeout", "internal"]
    message: str


@dataclass
class CancelJobResponse(Model):
    id: str
    status: Literal["cancelled"]


@dataclass
class RetryJobResponse(Model):
    id: str
    status: Literal["queued"]


@dataclass
class SearchResponse(Model):
    results: List[SearchResult]
    total: int
    """The number of matching files, beyond `limit` too, also with `group: "chunk"`. Exact, except for phrases of several words that many passages could contain: the texts of about 1,000 passages are checked, those of the best files first. Files that are not checked are not returned, but counted, so `total` is an upper bound then. By vector, all files with vectors that pass the filters are counted; in a hybrid search, those that text finds or that are among the 100 nearest (an upper bound if more than 100 chunks have words of the query)."""
    query: str
    mode: Literal["text", "vector", "hybrid"]
    """The mode that was used."""
    served: Optional[List[Literal["text", "vector", "rerank"]]] = None
    """The parts that took part."""
    not_served: Optional[List[SearchResponseNotServed]] = None
    """The parts that were asked for and did not take part, with the reason. `vector` can be here and in `served`: then vectors of some models were not searched."""


@dataclass
class SearchResult(Model):
    file_id: str
    score: float
    """Comparable within one response."""
    snippet: str
    """HTML-escaped. Matches are enclosed in `<mark>`."""
    chunk_text: str
    """The text of the chunk."""
    chunk_text_truncated: bool
    """Whether the text is only the beginning of the chunk, because the whole response would be too large."""
    text: str
    """The same as `chunk_text`."""
    scores: Optional[SearchResultScores] = None
    """The parts of the score. Null for a part that did not find the chunk or did not take part."""
    highlights: Optional[List[SearchResultHighlight]] = None
    """The words of the query in the text of the chunk, as offsets in UTF-16 units. The first 50."""
    chunk_index: Optional[int] = None
    """The position of the chunk in its file, from 0."""
    start: Optional[int] = None
    """Where the chunk begins in the markdown of the file, in UTF-16 units."""
    end: Optional[int] = None
    """Where it ends."""
    page: Optional[int] = None
    """The page on which the chunk begins. Null without pages."""
    regions: Optional[List[SearchResultRegion]] = None
    """Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells."""
    headings: Optional[List[str]] = None
    """The headings above the chunk, the outermost first."""
    filename: Optional[str] = None
    space: Optional[str] = None
    content_type: Optional[str] = None
    external_id: Optional[str] = None
    metadata: Optional[Dict[str, str]] = None
    created_at: Optional[str] = None
    """When the file was created."""
    omitted: Optional[List[Literal["headings", "highlights", "metadata", "regions"]]] = None
    """Fields that are left out, because the whole response would be too large."""


@dataclass
class SearchResultScores(Model):
    """The parts of the score. Null for a part that did not find the chunk or did not take part."""

    text: Optional[float]
    """How much of the query the words of the chunk and the title cover."""
    vector: Optional[float]
    """The cosine, or 0 if it is negative."""
    rerank: Optional[float]
    """The relevance that the reranking model sees."""


@dataclass
class SearchResultHighlight(Model):
    start: int
    end: int


@dataclass
class SearchResultRegion(Model):
    page: int
    x: float
    """The left edge, as a share of the width of the page as it is shown."""
    y: float
    """The upper edge, as a share of the height."""
    width: float
    height: float


@dataclass
class SearchResponseNotServed(Model):
    part: Literal["text", "vector", "rerank"]
    reason: Literal["not_configured", "no_vectors", "failed", "too_many_models"]
    message: str
    """The cause, and how to remove it."""


@dataclass
class AnswerQuestionResponse(Model):
    sources: List[AnswerSource]
    """Those that the answer cites, in the order of their numbers. Empty if the files do not answer the question."""
    citations: List[AnswerQuestionResponseCitation]
    """All citations, in the order in which they stand in the answer."""
    omitted_statements: int
    """How many statements of the chat model were left out, in whole or in part, because no source supports them."""
    model: Optional[str]
    """The chat model that wrote the answer. Null if sentences of the files are quoted."""
    usage: Optional[AnswerQuestionResponseUsage]
    """The tokens that the chat model used, as its provider counts them, including those to rewrite the question. Null if it did not count, or was not asked."""
    answer: str
    """Plain text. `[n]` cites the source with that `citation`."""
    question: str
    rewritten_question: Optional[str] = None
    """The question that was answered. Present if the chat model rewrote it, because there was a `history`."""
    json: Optional[object] = None
    """The answer as a value, if it was asked for with `answer_format`."""
    unsupported: Optional[List[str]] = None
    """The strings and numbers of a JSON answer that no source contains, as JSON Pointers. Strings without words, true, false and null are not compared."""
    truncated: Optional[Literal[True]] = None
    """Present if the end is missing: the chat model reached the longest answer that it may write, or its provider withheld the rest."""


@dataclass
class AnswerSource(Model):
    citation: int
    """The number `n` by which the answer cites this source as `[n]`."""
    file_id: str
    filename: str
    snippet: str
    """HTML-escaped. Words of the question are enclosed in `<mark>`."""
    score: float
    start: int
    """Where the passage begins in the text of the file, in UTF-16 units."""
    end: int
    """Where it ends."""
    page: Optional[int]
    """The page on which the passage begins. Null without pages."""
    regions: List[AnswerSourceRegion]
    """Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells."""


@dataclass
class AnswerSourceRegion(Model):
    page: int
    x: float
    """The left edge, as a share of the width of the page as it is shown."""
    y: float
    """The upper edge, as a share of the height."""
    width: float
    height: float


@dataclass
class AnswerQuestionResponseCitation(Model):
    citation: int
    """The number of the cited source."""
    position: int
    """Where this `[n]` stands in the answer, or where the value begins in a JSON answer. In UTF-16 units."""
    quote: Optional[AnswerQuestionResponseCitationQuote]
    """The sentence that supports the statement before the citation. Null if they cannot be compared, because they are in different languages."""
    pointer: Optional[str] = None
    """The value of a JSON answer that the source supports, as a JSON Pointer (RFC 6901): `/parts/0/name`."""


@dataclass
class AnswerQuestionResponseCitationQuote(Model):
    text: str
    """A sentence of the source, as plain text on one line."""
    start: int
    """Where the sentence begins in the text of the file, in UTF-16 units."""
    end: int
    """Where it ends."""
    page: Optional[int]
    """The page on which the sentence begins. Without regions, the one on which its chunk begins. Null without pages."""
    regions: List[AnswerQuestionResponseCitationQuoteRegion]
    """Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells."""


@dataclass
class AnswerQuestionResponseCitationQuoteRegion(Model):
    page: int
    x: float
    """The left edge, as a share of the width of the page as it is shown."""
    y: float
    """The upper edge, as a share of the height."""
    width: float
    height: float


@dataclass
class AnswerQuestionResponseUsage(Model):
    prompt_tokens: int
    completion_tokens: int


@dataclass
class AnswerEventChunk(Model):
    type: Literal["chunk"]
    content: str
    """The next part of the answer."""


@dataclass
class AnswerEventSources(Model):
    sources: List[AnswerSource]
    """Those that the answer cites, in the order of their numbers. Empty if the files do not answer the question."""
    citations: List[AnswerEventSourcesCitation]
    """All citations, in the order in which they stand in the answer."""
    omitted_statements: int
    """How many statements of the chat model were left out, in whole or in part, because no source supports them."""
    model: Optional[str]
    """The chat model that wrote the answer. Null if sentences of the files are quoted."""
    usage: Optional[AnswerEventSourcesUsage]
    """The tokens that the chat model used, as its provider counts them, including those to rewrite the question. Null if it did not count, or was not asked."""
    type: Literal["sources"]
    rewritten_question: Optional[str] = None
    """The question that was answered. Present if the chat model rewrote it, because there was a `history`."""
    json: Optional[object] = None
    """The answer as a value, if it was asked for with `answer_format`."""
    unsupported: Optional[List[str]] = None
    """The strings and numbers of a JSON answer that no source contains, as JSON Pointers. Strings without words, true, false and null are not compared."""
    truncated: Optional[Literal[True]] = None
    """Present if the end is missing: the chat model reached the longest answer that it may write, or its provider withheld the rest."""


@dataclass
class AnswerEventSourcesCitation(Model):
    citation: int
    """The number of the cited source."""
    position: int
    """Where this `[n]` stands in the answer, or where the value begins in a JSON answer. In UTF-16 units."""
    quote: Optional[AnswerEventSourcesCitationQuote]
    """The sentence that supports the statement before the citation. Null if they cannot be compared, because they are in different languages."""
    pointer: Optional[str] = None
    """The value of a JSON answer that the source supports, as a JSON Pointer (RFC 6901): `/parts/0/name`."""


@dataclass
class AnswerEventSourcesCitationQuote(Model):
    text: str
    """A sentence of the source, as plain text on one line."""
    start: int
    """Where the sentence begins in the text of the file, in UTF-16 units."""
    end: int
    """Where it ends."""
    page: Optional[int]
    """The page on which the sentence begins. Without regions, the one on which its chunk begins. Null without pages."""
    regions: List[AnswerEventSourcesCitationQuoteRegion]
    """Where the text stands on the pages. Empty if that is not known: only PDF files, images and PPTX presentations have regions. On a slide, these are the boxes of shapes and table cells."""


@dataclass
class AnswerEventSourcesCitationQuoteRegion(Model):
    page: int
    x: float
    """The left edge, as a share of the width of the page as it is shown."""
    y: float
    """The upper edge, as a share of the height."""
    width: float
    height: float


@dataclass
class AnswerEventSourcesUsage(Model):
    prompt_tokens: int
    completion_tokens: int


@dataclass
class AnswerEventDone(Model):
    type: Literal["done"]


@dataclass
class AnswerEventError(Model):
    """The answer broke off. No event follows."""

    type: Literal["error"]
    error: str
    code: str
    request_id: str = field(metadata={"json": "requestId"})


@dataclass
class Me(Model):
    org_id: str
    auth_type: Literal["api_key", "jwt"]
    key_name: str
    scopes: List[Literal["files:read", "files:write", "jobs:read", "jobs:write", "connections:read", "connections:write", "webhooks:read", "webhooks:write", "search:read", "analytics:read", "org:read", "org:write", "keys:read", "keys:write", "portal:write", "logs:read", "*"]]


@dataclass
class GetCapabilitiesResponse(Model):
    documents: bool
    """Whether an engine reads documents."""
    images: bool
    """Whether an engine reads text in images and scans."""
    audio: bool
    """Whether an engine transcribes speech."""
    embeddings: bool
    """Whether new files get embeddings, by which searches find their meaning."""
    reranking: bool
    """Whether searches with `rerank` are scored by a model."""
    chat_models: List[str]
    """The models that write answers, the default first. Without one, answers are sentences of the files."""


@dataclass
class GetSettingsResponse(Model):
    default_embedding_model: str
    default_chunking: GetSettingsResponseDefaultChunking
    default_variants: List[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    search_language: Literal["danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "none", "auto"]
    """The language in which searches match words in all their forms. `auto` uses the language detected in each file. `none` matches words as they are written, as `auto` does for other languages."""
    answer_instructions: Optional[str]
    """What each answer of a chat model should be like, in plain words. Null: no wishes."""


@dataclass
class GetSettingsResponseDefaultChunking(Model):
    strategy: Literal["recursive", "markdown", "sentence", "fixed"]
    chunk_size: int
    chunk_overlap: int


@dataclass
class GetRoutingRulesResponse(Model):
    rules: List[GetRoutingRulesResponseRule]
    """The order does not matter. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one."""


@dataclass
class GetRoutingRulesResponseRule(Model):
    content_type: str
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]


@dataclass
class GetBrandingResponse(Model):
    name: Optional[str]
    """The name that the portal shows."""
    color: Optional[str]
    """The colour of buttons and links."""
    logo: Optional[str]
    """The logo as a data: URI. Show it as an image, never as markup."""


@dataclass
class GetPortalSettingsResponse(Model):
    frame_ancestors: List[str]
    """The origins whose pages may show the portal in a frame. While the list is empty, none may."""


@dataclass
class GetUsageResponse(Model):
    period: str
    """The month, in UTC."""
    pages_used: float
    """The pages of completed jobs. Pages processed with the organization's own provider key count at 0.6."""
    pages_limit: Optional[int]
    """Null if the plan has no limit."""
    plan: str
    overage_pages: float
    """The pages used beyond `pages_limit`."""


@dataclass
class ListProviderKeysResponse(Model):
    provider_keys: List[SetProviderKeyResponse]


@dataclass
class SetProviderKeyResponse(Model):
    provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"]
    key_preview: str
    """The last four characters of the key, after `…`."""
    url: Optional[str]
    """Your own extractor. Null if the key is for the usual provider."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""


@dataclass
class TestProviderKeyResponse(Model):
    ok: bool
    """Whether the provider accepted the key and answered."""
    duration_ms: int
    error: Optional[TestProviderKeyResponseError]
    """Null if `ok` is true."""


@dataclass
class TestProviderKeyResponseError(Model):
    code: Literal["provider_unauthorized", "provider_unavailable", "timeout"]
    message: str


@dataclass
class DeleteProviderKeyResponse(Model):
    deleted: Literal[True]


@dataclass
class CreatedApiKey(Model):
    id: str
    name: str
    prefix: str
    """The first characters of the secret."""
    scopes: List[Literal["files:read", "files:write", "jobs:read", "jobs:write", "connections:read", "connections:write", "webhooks:read", "webhooks:write", "search:read", "analytics:read", "org:read", "org:write", "keys:read", "keys:write", "portal:write", "logs:read", "*"]]
    mode: Literal["live", "test"]
    expires_at: Optional[str]
    created_at: str
    """UTC."""
    key: str
    """The secret. It is returned only in this response."""


@dataclass
class ListApiKeysResponse(Model):
    api_keys: List[ApiKey]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class ApiKey(Model):
    id: str
    name: str
    prefix: str
    """The first characters of the secret."""
    scopes: List[Literal["files:read", "files:write", "jobs:read", "jobs:write", "connections:read", "connections:write", "webhooks:read", "webhooks:write", "search:read", "analytics:read", "org:read", "org:write", "keys:read", "keys:write", "portal:write", "logs:read", "*"]]
    mode: Literal["live", "test"]
    expires_at: Optional[str]
    last_used_at: Optional[str]
    """May lag by a few seconds."""
    created_at: str
    """UTC."""


@dataclass
class DeleteApiKeyResponse(Model):
    deleted: Literal[True]


@dataclass
class ExchangeSignInCodeResponse(Model):
    id: str
    key: str
    """The secret of an API key. It is returned only in this response."""
    org_id: str
    expires_at: str
    """UTC."""


@dataclass
class PortalToken(Model):
    token: str
    """The secret. It is returned only in this response."""
    expires_at: str
    """UTC."""
    space: str


@dataclass
class ListPortalTokensResponse(Model):
    tokens: List[ListPortalTokensResponseToken]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class ListPortalTokensResponseToken(Model):
    prefix: str
    """The first characters of the secret. They name the token where it is revoked."""
    space: str
    created_at: str
    """UTC."""
    expires_at: str
    """UTC."""
    key_id: Optional[str]
    """The key that created the token, which ends with it. Null for a bearer token."""


@dataclass
class VerifyPortalTokenResponse(Model):
    valid: bool
    space: Optional[str]
    expires_at: Optional[str]


@dataclass
class ListPortalVariantsResponse(Model):
    variants: List[Variant]


@dataclass
class VerifyConnectionResponse(Model):
    id: str
    provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"]
    name: str
    bucket: str
    region: Optional[str]
    prefix: Optional[str]
    auth_type: Optional[Literal["role_assumption", "service_account", "service_principal", "access_key"]]
    """The type of the stored credentials. Null if there are none."""
    status: Literal["pending", "active", "error"]
    """`pending`: no test or sync has succeeded yet. `error`: the last test or sync failed."""
    error: Optional[VerifyConnectionResponseError]
    """Why the last test or sync failed."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""
    verified: Literal[True]
    listing_order: Optional[Literal["sorted", "unsorted"]] = None
    """`sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once."""
    auto_process: Optional[bool] = None
    """Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false."""
    on_change: Optional[Literal["reprocess", "ignore"]] = None
    """What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result."""
    include: Optional[List[str]] = None
    """Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters."""
    exclude: Optional[List[str]] = None
    """Leave out objects whose key matches one of these patterns."""
    min_size: Optional[int] = None
    """The smallest size to select, in bytes."""
    max_size: Optional[int] = None
    """The largest size to select, in bytes."""
    modified_after: Optional[str] = None
    """Select only objects that were modified later. Null: objects of any age."""
    content_types: Optional[List[str]] = None
    """Select only objects of these types, by the extension of their name. `image/*` selects all images."""
    storage_classes: Optional[List[str]] = None
    """Select only objects of these storage classes. An object without one is `STANDARD`."""
    on_delete: Optional[Literal["delete", "keep"]] = None
    """What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants."""
    space: Optional[str] = None
    sync_interval_minutes: Optional[int] = None
    """Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request."""
    paused: Optional[bool] = None
    """Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false."""
    notifications: Optional[VerifyConnectionResponseNotifications] = None
    inventory: Optional[VerifyConnectionResponseInventory] = None
    next_sync_at: Optional[str] = None
    """When the next scheduled sync starts; a time in the past means at once. Null without a schedule, and while it is paused."""


@dataclass
class VerifyConnectionResponseNotifications(Model):
    type: Literal["sqs", "pubsub", "storage_queue"]
    """`sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure."""
    queue: str
    status: Literal["active", "failing"]
    """`failing`: the queue, or an object that it names, cannot be read. Kiln tries again."""
    error: Optional[VerifyConnectionResponseNotificationsError]
    """Why the queue cannot be used."""
    last_received_at: Optional[str]
    """When the last message was received. Null before the first."""


@dataclass
class VerifyConnectionResponseNotificationsError(Model):
    code: Literal["credentials_missing", "access_denied", "bucket_not_found", "queue_not_found", "endpoint_not_allowed", "unreachable", "timeout", "not_configured", "refused", "object_archived", "listing_incomplete", "too_many_deletions", "too_many_objects", "internal"]
    message: str


@dataclass
class VerifyConnectionResponseInventory(Model):
    bucket: str
    prefix: str
    max_age_hours: int


@dataclass
class VerifyConnectionResponseError(Model):
    code: Literal["credentials_missing", "access_denied", "bucket_not_found", "queue_not_found", "endpoint_not_allowed", "unreachable", "timeout", "not_configured", "refused", "object_archived", "listing_incomplete", "too_many_deletions", "too_many_objects", "internal"]
    message: str


@dataclass
class StartConnectionResponse(Model):
    provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"]
    auth_type: Literal["role_assumption", "service_account", "service_principal", "access_key"]
    instructions: StartConnectionResponseInstructions


@dataclass
class StartConnectionResponseInstructions(Model):
    steps: List[str]
    required_fields: List[str]
    """The required fields of `credentials`."""
    role_arn: Optional[str] = None
    """S3: the role that yours must trust."""
    external_id: Optional[str] = None
    """S3: the same for all connections of the organization."""
    issuer: Optional[str] = None
    """Google Cloud Storage without a key: the issuer of tokens that the provider of your identity pool must trust."""
    subject: Optional[str] = None
    """The same for all connections of the organization: the subject of these tokens."""
    jwks: Optional[StartConnectionResponseInstructionsJwks] = None
    """The public keys of the issuer, for the provider of your identity pool."""


@dataclass
class StartConnectionResponseInstructionsJwks(Model):
    """The public keys of the issuer, for the provider of your identity pool."""

    keys: List[Dict[str, str]]


@dataclass
class ListConnectionBucketsResponse(Model):
    buckets: List[ListConnectionBucketsResponseBucket]
    """At most the first 5,000 buckets."""


@dataclass
class ListConnectionBucketsResponseBucket(Model):
    name: str
    region: Optional[str]


@dataclass
class ListConnectionProvidersResponse(Model):
    providers: List[ListConnectionProvidersResponseProvider]


@dataclass
class ListConnectionProvidersResponseProvider(Model):
    id: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"]
    name: str
    auth_type: Literal["role_assumption", "service_account", "service_principal", "access_key"]
    auth_types: List[Literal["role_assumption", "service_account", "service_principal", "access_key"]]
    """All authentication types that the provider accepts."""


@dataclass
class Connection(Model):
    id: str
    provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"]
    name: str
    bucket: str
    region: Optional[str]
    prefix: Optional[str]
    auth_type: Optional[Literal["role_assumption", "service_account", "service_principal", "access_key"]]
    """The type of the stored credentials. Null if there are none."""
    status: Literal["pending", "active", "error"]
    """`pending`: no test or sync has succeeded yet. `error`: the last test or sync failed."""
    error: Optional[ConnectionError]
    """Why the last test or sync failed."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""
    listing_order: Optional[Literal["sorted", "unsorted"]] = None
    """`sorted`, the default: syncs accept only listings in the order that the provider documents. `unsorted`: for a store that lists keys in no order, such as Storj; syncs accept listings that contain each key once."""
    auto_process: Optional[bool] = None
    """Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false."""
    on_change: Optional[Literal["reprocess", "ignore"]] = None
    """What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a new job. `ignore`: it keeps its result."""
    include: Optional[List[str]] = None
    """Select only objects whose key matches one of these glob patterns: `*` matches within a folder, `**` across folders, `{a,b}` either. A pattern without a slash matches the name of the object in any folder. Case matters."""
    exclude: Optional[List[str]] = None
    """Leave out objects whose key matches one of these patterns."""
    min_size: Optional[int] = None
    """The smallest size to select, in bytes."""
    max_size: Optional[int] = None
    """The largest size to select, in bytes."""
    modified_after: Optional[str] = None
    """Select only objects that were modified later. Null: objects of any age."""
    content_types: Optional[List[str]] = None
    """Select only objects of these types, by the extension of their name. `image/*` selects all images."""
    storage_classes: Optional[List[str]] = None
    """Select only objects of these storage classes. An object without one is `STANDARD`."""
    on_delete: Optional[Literal["delete", "keep"]] = None
    """What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is deleted. `keep`: it stays, with its variants."""
    space: Optional[str] = None
    sync_interval_minutes: Optional[int] = None
    """Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. Null, the default: syncs start only on request."""
    paused: Optional[bool] = None
    """Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false."""
    notifications: Optional[ConnectionNotifications] = None
    inventory: Optional[ConnectionInventory] = None
    next_sync_at: Optional[str] = None
    """When the next scheduled sync starts; a time in the past means at once. Null without a schedule, and while it is paused."""


@dataclass
class ConnectionNotifications(Model):
    type: Literal["sqs", "pubsub", "storage_queue"]
    """`sqs` for S3 and compatible stores, `pubsub` for Google, `storage_queue` for Azure."""
    queue: str
    status: Literal["active", "failing"]
    """`failing`: the queue, or an object that it names, cannot be read. Kiln tries again."""
    error: Optional[ConnectionNotificationsError]
    """Why the queue cannot be used."""
    last_received_at: Optional[str]
    """When the last message was received. Null before the first."""


@dataclass
class ConnectionNotificationsError(Model):
    code: Literal["credentials_missing", "access_denied", "bucket_not_found", "queue_not_found", "endpoint_not_allowed", "unreachable", "timeout", "not_configured", "refused", "object_archived", "listing_incomplete", "too_many_deletions", "too_many_objects", "internal"]
    message: str


@dataclass
class ConnectionInventory(Model):
    bucket: str
    prefix: str
    max_age_hours: int


@dataclass
class ConnectionError(Model):
    code: Literal["credentials_missing", "access_denied", "bucket_not_found", "queue_not_found", "endpoint_not_allowed", "unreachable", "timeout", "not_configured", "refused", "object_archived", "listing_incomplete", "too_many_deletions", "too_many_objects", "internal"]
    message: str


@dataclass
class ListConnectionsResponse(Model):
    connections: List[Connection]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class DeleteConnectionResponse(Model):
    deleted: Literal[True]


@dataclass
class TestConnectionResponse(Model):
    success: bool
    status: Literal["pending", "active", "error"]
    error: Optional[TestConnectionResponseError]
    """Why the test failed."""


@dataclass
class TestConnectionResponseError(Model):
    code: Literal["credentials_missing", "access_denied", "bucket_not_found", "queue_not_found", "endpoint_not_allowed", "unreachable", "timeout", "not_configured", "refused", "object_archived", "listing_incomplete", "too_many_deletions", "too_many_objects", "internal"]
    message: str


@dataclass
class BrowseConnectionResponse(Model):
    objects: List[BrowseConnectionResponseObject]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class BrowseConnectionResponseObject(Model):
    key: str
    size_bytes: int
    etag: str
    last_modified: str
    """UTC."""


@dataclass
class Sync(Model):
    id: str
    status: Literal["pending", "syncing", "completed", "failed", "cancelled"]
    synced_count: int
    """The number of objects listed."""
    files_added: int
    files_updated: int
    """The number of objects whose ETag or size has changed."""
    files_deleted: int
    skipped: int
    """The number of objects left out because their key is not text without NUL, is longer than 2,000 bytes, is deeper than 100 folders, contains a segment `.` or `..`, or ends in a slash although they have bytes, or because their size or time is invalid; and of archived objects, whose nodes say where in `archived_in`."""
    error: Optional[SyncError]
    started_at: Optional[str]
    """When the listing began. A sync that continues a failed one has the time of that one."""
    completed_at: Optional[str]
    files_moved: Optional[int] = None
    """The number of objects found under another key, by ETag and size. Their nodes and files are kept, and they count neither as added nor as deleted."""
    files_queued: Optional[int] = None
    """The number of objects handed to automatic processing. An object whose file is up to date gets no new job."""
    files_excluded: Optional[int] = None
    """The number of objects listed that the rules of the connection leave out."""


@dataclass
class SyncError(Model):
    code: str
    message: str


@dataclass
class PreviewSyncResponse(Model):
    new_files: int
    updated_files: int
    deleted_files: int
    """Zero if `complete` is false."""
    total_size_bytes: int
    """The total size of the objects listed."""
    complete: bool
    """False if the bucket was too large to be listed within the time of the request."""
    queued_files: Optional[int] = None
    """The number of objects that a sync would hand to automatic processing."""
    excluded_files: Optional[int] = None
    """The number of objects listed that the rules of the connection leave out."""


@dataclass
class GetSyncProgressResponse(Model):
    status: Literal["pending", "syncing", "completed", "failed", "cancelled"]
    """The status of the newest sync. `pending` before the first sync too."""
    synced: int
    total: Optional[int]
    """The number of objects counted by the last complete sync. Null before the first."""
    percent: float
    eta_seconds: Optional[int]
    started_at: Optional[str]


@dataclass
class ListSyncsResponse(Model):
    syncs: List[Sync]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class InitNodeUploadResponse(Model):
    node_id: str
    upload_url: str
    upload_method: Literal["PUT"]
    upload_headers: Dict[str, str]
    expires_in: int
    """Seconds until the URL expires."""


@dataclass
class CommitNodeUploadResponse(Model):
    node_id: str
    file_id: str
    job_id: str
    status: Literal["queued", "processing", "completed", "failed", "cancelled"]
    """Of the job. Not `queued` when the upload was committed before."""


@dataclass
class ListNodesResponse(Model):
    nodes: List[Node]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class Node(Model):
    id: str
    connection_id: str
    parent_id: Optional[str]
    """The parent folder. Null at the top level."""
    type: Literal["file", "folder"]
    name: str
    path: str
    """The key in the bucket. The key of a folder ends with `/`."""
    size_bytes: Optional[int]
    """Null for a folder."""
    content_type: Optional[str]
    """Derived from the file name. Null if unknown."""
    etag: Optional[str]
    last_modified: Optional[str]
    created_at: str
    """UTC."""
    archived_in: Optional[str] = None
    """The storage class of an archived object, such as `GLACIER`, which cannot be read until it is restored. Else null."""
    excluded_by: Optional[Literal["include", "exclude", "min_size", "max_size", "modified_after", "content_types", "storage_classes"]] = None
    """The rule of the connection that leaves the object out of automatic processing, as the last sync found. Null if no rule does."""


@dataclass
class DeleteNodeResponse(Model):
    deleted: Literal[True]


@dataclass
class ListChildrenResponse(Model):
    nodes: List[ListChildrenResponseNode]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class ListChildrenResponseNode(Model):
    id: str
    type: Literal["file", "folder"]
    name: str
    size_bytes: Optional[int]
    """Null for a folder."""


@dataclass
class CreatedWebhook(Model):
    id: str
    url: str
    events: List[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "*"]]
    spaces: Optional[List[str]]
    active: bool
    description: Optional[str]
    header_names: List[str]
    """The names of the custom headers."""
    failing_since: Optional[str]
    """The time of the first failure since the last success."""
    last_error: Optional[str]
    """Why the last attempt failed. Null after a success."""
    disabled_reason: Optional[Literal["gone", "failing"]]
    """Why Kiln disabled the webhook."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""
    secret: str
    """`whsec_` followed by 32 bytes in base64. It is returned only in this response."""


@dataclass
class ListWebhooksResponse(Model):
    webhooks: List[Webhook]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class Webhook(Model):
    id: str
    url: str
    events: List[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "*"]]
    spaces: Optional[List[str]]
    active: bool
    description: Optional[str]
    header_names: List[str]
    """The names of the custom headers."""
    failing_since: Optional[str]
    """The time of the first failure since the last success."""
    last_error: Optional[str]
    """Why the last attempt failed. Null after a success."""
    disabled_reason: Optional[Literal["gone", "failing"]]
    """Why Kiln disabled the webhook."""
    created_at: str
    """UTC."""
    updated_at: str
    """UTC."""


@dataclass
class ListWebhookEventTypesResponse(Model):
    event_types: List[ListWebhookEventTypesResponseEventType]


@dataclass
class ListWebhookEventTypesResponseEventType(Model):
    type: Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]
    description: str
    """When the event is sent."""
    schema: Dict[str, object]
    """The JSON Schema of the body of a delivery."""
    example: Dict[str, object]
    """A body."""


@dataclass
class DeleteWebhookResponse(Model):
    deleted: Literal[True]


@dataclass
class RotateWebhookSecretResponse(Model):
    id: str
    secret: str
    """`whsec_` followed by 32 bytes in base64. It is returned only in this response."""
    previous_secret_expires_at: Optional[str]


@dataclass
class Delivery(Model):
    id: str
    event_id: str
    event_type: Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]
    status: Literal["pending", "delivered", "failed"]
    attempt: int
    """The number of attempts started so far."""
    status_code: Optional[int]
    attempted_at: Optional[str]
    """The time of the last attempt."""
    duration_ms: Optional[int]
    error: Optional[str]
    response_body: Optional[str]
    """The first 1 KiB of the last response."""
    next_attempt_at: Optional[str]
    """Null if the delivery has succeeded or failed."""
    created_at: str
    """UTC."""


@dataclass
class ReplayWebhookResponse(Model):
    replayed: int
    """The number of events that are being delivered again in the background."""
    skipped: int
    """The number of events in the window whose type was not requested."""


@dataclass
class RecoverWebhookResponse(Model):
    recovered: int
    """The number of undelivered events that are being delivered in the background."""


@dataclass
class ListDeliveriesResponse(Model):
    deliveries: List[Delivery]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class GetDeliveryResponse(Model):
    id: str
    event_id: str
    event_type: Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]
    status: Literal["pending", "delivered", "failed"]
    attempt: int
    """The number of attempts started so far."""
    status_code: Optional[int]
    attempted_at: Optional[str]
    """The time of the last attempt."""
    duration_ms: Optional[int]
    error: Optional[str]
    response_body: Optional[str]
    """The first 1 KiB of the last response."""
    next_attempt_at: Optional[str]
    """Null if the delivery has succeeded or failed."""
    created_at: str
    """UTC."""
    payload: Optional[Dict[str, object]]
    """The body that is sent. Null when the event is no longer kept."""
    attempts: List[GetDeliveryResponseAttempt]


@dataclass
class GetDeliveryResponseAttempt(Model):
    attempt: int
    """Counted from 1."""
    attempted_at: str
    """UTC."""
    status_code: Optional[int]
    """Null if there was no response."""
    duration_ms: Optional[int]
    error: Optional[str]
    """Why the attempt failed."""
    response_body: Optional[str]
    """The first 1 KiB of the response."""


@dataclass
class GetWebhookEventResponse(Model):
    id: str
    """The same as `id` in the payload and the `webhook-id` header."""
    type: Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]
    webhook_id: str
    delivered: bool
    created_at: str
    """UTC."""
    payload: Optional[Dict[str, object]]
    """The body that is sent. Null when the event is no longer kept."""


@dataclass
class ListWebhookEventsResponse(Model):
    events: List[WebhookEvent]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class WebhookEvent(Model):
    id: str
    """The same as `id` in the payload and the `webhook-id` header."""
    type: Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]
    webhook_id: str
    delivered: bool
    created_at: str
    """UTC."""


@dataclass
class GetOverviewResponse(Model):
    total_files: int
    total_jobs: int
    total_variants: int
    total_connections: int
    success_rate: float
    """Completed jobs / (completed jobs + failed jobs). 0 if there are none."""
    files_by_status: Dict[str, int]


@dataclass
class GetFileTypesResponse(Model):
    types: List[GetFileTypesResponseType]


@dataclass
class GetFileTypesResponseType(Model):
    content_type: str
    """`application/octet-stream` for files whose type is not known."""
    count: int
    total_bytes: int


@dataclass
class GetSpaceHealthResponse(Model):
    spaces: List[GetSpaceHealthResponseSpace]


@dataclass
class GetSpaceHealthResponseSpace(Model):
    space: str
    file_count: int
    completed: int
    """Files in status `completed`."""
    failed: int
    """Files in status `failed`."""
    success_rate: float
    """Completed files / (completed + failed). 0 if there are none."""
    health_score: int
    """The percentage of the files of the space that have not failed, rounded down."""


@dataclass
class GetProcessingResponse(Model):
    p50_ms: float
    """The duration that 50 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none."""
    p95_ms: float
    """The duration that 95 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none."""
    p99_ms: float
    """The duration that 99 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none."""
    by_provider: List[GetProcessingResponseByProvider]


@dataclass
class GetProcessingResponseByProvider(Model):
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]
    avg_ms: float
    count: int


@dataclass
class GetDailyTimesResponse(Model):
    data: List[GetDailyTimesResponseData]


@dataclass
class GetDailyTimesResponseData(Model):
    date: str
    """A day in UTC."""
    p50_ms: float
    """The duration that 50 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none."""
    p95_ms: float
    """The duration that 95 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none."""
    p99_ms: float
    """The duration that 99 % of the runs that completed a job did not exceed, to within 2 %. 0 if there are none."""
    runs: int
    """Times a job completed."""


@dataclass
class GetProvidersResponse(Model):
    providers: List[GetProvidersResponseProvider]


@dataclass
class GetProvidersResponseProvider(Model):
    provider: Literal["document_extractor", "image_extractor", "audio_extractor"]
    total_jobs: int
    """Times a job of this provider completed or failed."""
    success_rate: float
    avg_ms: float
    """The mean duration of the runs that completed a job."""


@dataclass
class GetVolumeResponse(Model):
    data: List[GetVolumeResponseData]


@dataclass
class GetVolumeResponseData(Model):
    date: str
    """A day in UTC."""
    uploads: int
    """Files added."""
    uploaded_bytes: int
    processed: int
    """Times a job completed."""
    failed: int
    """Times a job failed."""


@dataclass
class GetTrendsResponse(Model):
    data: List[GetTrendsResponseData]


@dataclass
class GetTrendsResponseData(Model):
    date: str
    """A day in UTC."""
    uploads: int
    """Files added."""
    completed: int
    """Times a job completed."""
    failed: int
    """Times a job failed."""


@dataclass
class GetStorageGrowthResponse(Model):
    data: List[GetStorageGrowthResponseData]


@dataclass
class GetStorageGrowthResponseData(Model):
    date: str
    """A day in UTC."""
    total_bytes: int
    """Bytes of all files at the end of the day."""
    delta_bytes: int
    """The bytes of the files added minus those of the files deleted."""


@dataclass
class ListFailuresResponse(Model):
    failures: List[ListFailuresResponseFailure]


@dataclass
class ListFailuresResponseFailure(Model):
    job_id: str
    file_id: str
    filename: str
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    """Null if no provider reads the type of the file."""
    reason: Literal["unsupported_type", "corrupt_file", "encrypted_file", "file_too_large", "provider_unauthorized", "provider_unavailable", "upload_expired", "quota_exceeded", "timeout", "internal"]
    """The error code of the job."""
    message: str
    failed_at: str
    """UTC."""


@dataclass
class ListTopFailuresResponse(Model):
    failures: List[ListTopFailuresResponseFailure]


@dataclass
class ListTopFailuresResponseFailure(Model):
    reason: Literal["unsupported_type", "corrupt_file", "encrypted_file", "file_too_large", "provider_unauthorized", "provider_unavailable", "upload_expired", "quota_exceeded", "timeout", "internal"]
    """The error code of the job."""
    count: int
    """Times a job failed for this reason."""
    last_seen: str
    """UTC."""


@dataclass
class ListRequestsResponse(Model):
    logs: List[ListRequestsResponseLog]
    next_cursor: Optional[str]
    """Null on the last page."""


@dataclass
class ListRequestsResponseLog(Model):
    id: str
    method: str
    path: str
    """Without the query. A secret in the path is replaced by its name."""
    status: int
    """The HTTP status of the response."""
    auth_type: Literal["api_key", "jwt"]
    key_name: str
    """The name of the API key, or the subject of the bearer token."""
    duration_ms: float
    request_id: str
    """The `X-Request-Id` of the response."""
    created_at: str
    """UTC."""


@dataclass
class GetLivenessResponse(Model):
    status: Literal["ok"]


@dataclass
class GetReadinessResponse(Model):
    ready: bool
    state: Literal["starting", "ready", "stopping"]
    checks: Dict[str, str]
    """The state of each dependency: `ok`, or a description of the fault."""


@dataclass
class FileCreatedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["file.created"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: FileCreatedEventData


@dataclass
class FileCreatedEventData(Model):
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    metadata: Optional[Dict[str, str]]
    """The metadata of the file. Null if the job failed before the file was read."""
    file_id: str
    job_id: Optional[str]
    space: str
    filename: str
    content_type: Optional[str]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    variants: List[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants the event is about."""


@dataclass
class FileDeletedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["file.deleted"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: FileDeletedEventData


@dataclass
class FileDeletedEventData(Model):
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    metadata: Optional[Dict[str, str]]
    """The metadata of the file. Null if the job failed before the file was read."""
    file_id: str
    job_id: Optional[str]
    space: str
    filename: str
    content_type: Optional[str]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    variants: List[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants the event is about."""


@dataclass
class FileProcessingCompletedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["file.processing.completed"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: FileProcessingCompletedEventData


@dataclass
class FileProcessingCompletedEventData(Model):
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    metadata: Optional[Dict[str, str]]
    """The metadata of the file. Null if the job failed before the file was read."""
    file_id: str
    job_id: Optional[str]
    space: str
    filename: str
    content_type: Optional[str]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    variants: List[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants the event is about."""


@dataclass
class FileProcessingFailedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["file.processing.failed"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: FileProcessingFailedEventData


@dataclass
class FileProcessingFailedEventData(Model):
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    metadata: Optional[Dict[str, str]]
    """The metadata of the file. Null if the job failed before the file was read."""
    file_id: str
    job_id: Optional[str]
    space: str
    filename: str
    content_type: Optional[str]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    variants: List[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants the event is about."""
    error: JobError


@dataclass
class VariantReadyEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["variant.ready"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: VariantReadyEventData


@dataclass
class VariantReadyEventData(Model):
    external_id: Optional[str]
    """The id of the file in your system. Null if it was given none."""
    metadata: Optional[Dict[str, str]]
    """The metadata of the file. Null if the job failed before the file was read."""
    file_id: str
    job_id: Optional[str]
    space: str
    filename: str
    content_type: Optional[str]
    provider: Optional[Literal["document_extractor", "image_extractor", "audio_extractor"]]
    variants: List[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]
    """The variants the event is about."""


@dataclass
class JobFailedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["job.failed"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: JobFailedEventData


@dataclass
class JobFailedEventData(Model):
    job_id: str
    file_id: str
    attempts: int
    error: JobError


@dataclass
class ConnectionSyncedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["connection.synced"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: ConnectionSyncedEventData


@dataclass
class ConnectionSyncedEventData(Model):
    connection_id: str
    sync_id: str
    files_added: int
    files_updated: int
    files_deleted: int


@dataclass
class ConnectionSyncFailedEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["connection.sync.failed"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: ConnectionSyncFailedEventData


@dataclass
class ConnectionSyncFailedEventData(Model):
    connection_id: str
    sync_id: str
    files_added: int
    files_updated: int
    files_deleted: int
    error: Optional[ConnectionSyncFailedEventDataError]


@dataclass
class ConnectionSyncFailedEventDataError(Model):
    code: str
    message: str


@dataclass
class WebhookDisabledEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["webhook.disabled"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: WebhookDisabledEventData


@dataclass
class WebhookDisabledEventData(Model):
    webhook_id: str
    url: str
    reason: Literal["gone", "failing"]
    failing_since: Optional[str]


@dataclass
class WebhookTestEvent(Model):
    id: str
    """The same for retries and replays, and in the `webhook-id` header."""
    type: Literal["webhook.test"]
    created_at: str
    """The time at which the event occurred."""
    org_id: str
    data: WebhookTestEventData


@dataclass
class WebhookTestEventData(Model):
    webhook_id: str
    message: str


UploadResponse = Union[SignedUpload, UploadResponseWithSha256]


def upload_response_from_json(value: object) -> UploadResponse:
    result: UploadResponse = decode(UploadResponse, value)
    return result


CreateFileResponse = Union[SignedUpload, CreateFileResponseWithSha256]


def create_file_response_from_json(value: object) -> CreateFileResponse:
    result: CreateFileResponse = decode(CreateFileResponse, value)
    return result


AnswerEvent = Union[AnswerEventChunk, AnswerEventSources, AnswerEventDone, AnswerEventError]


def answer_event_from_json(value: object) -> AnswerEvent:
    result: AnswerEvent = decode(AnswerEvent, value)
    return result
