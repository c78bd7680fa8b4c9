"""Uploads one file, in the way that suits its size."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Dict, Mapping, Optional, Union
from urllib.parse import unquote

import httpx

from ..core.attempts import run_attempts
from ..core.errors import KilnConnectionError
from ..core.io import Attempt, Reply, Sending
from ..core.options import Limits, RequestOptions
from ..core.request import Request
from ..core.response import fetch
from ..core.transport import Core
from ..generated.models import SignedUpload, UploadResponseWithSha256
from .multipart import multipart_of
from .put_bytes import put_bytes
from .source import RepeatableSource, StreamSource, Uploadable, source_of
from .stored_file import StoredFile, stored_file_of
from .upload_options import OnProgress, checked_fields, counted, registering_options, sending_options

_DOWNLOAD = "Downloading the file"
_CONNECT_SECONDS = 60
#: Larger files go to the object store directly.
_SMALL_BYTES_MAX = 1024 * 1024


async def upload_file(
    core: Core,
    source: Uploadable,
    fields: Mapping[str, Any],
    options: Optional[RequestOptions],
    on_progress: Optional[OnProgress],
) -> StoredFile:
    checked = checked_fields(fields)
    if isinstance(source, httpx.URL):
        async with _downloading(core, source) as stream:
            return await _upload_through_gateway(core, stream, checked, options, on_progress)
    found = source_of(core.io, source)
    if isinstance(found, StreamSource) or found.size_bytes <= _SMALL_BYTES_MAX:
        return await _upload_through_gateway(core, found, checked, options, on_progress)
    request = Request("POST", "/v1/upload", body=registration(found, checked), is_keyed=True)
    file = await core.json(request, SignedUpload.from_json, registering_options(options))
    await put_bytes(core, file.upload_url, file.upload_headers, found, options, on_progress)
    return stored_file_of(file)


def registration(source: RepeatableSource, fields: Mapping[str, Any]) -> Dict[str, Any]:
    """The request that registers a file."""
    return {**fields, "filename": _name_of(source, fields), "size_bytes": source.size_bytes}


async def _upload_through_gateway(
    core: Core,
    source: Union[RepeatableSource, StreamSource],
    fields: Mapping[str, Any],
    options: Optional[RequestOptions],
    on_progress: Optional[OnProgress],
) -> StoredFile:
    """In one request, which needs no length. A stream is read once, so it is sent once."""
    named = {"filename": _name_of(source, fields), **fields}
    size_bytes = source.size_bytes if isinstance(source, RepeatableSource) else None
    if isinstance(source, StreamSource) and source.content_type is not None:
        named.setdefault("content_type", source.content_type)
    content_type, body = multipart_of(named, counted(source.open, size_bytes, on_progress))
    request = Request(
        "POST",
        "/v1/upload",
        is_keyed=True,
        stream=body,
        is_stream_repeatable=size_bytes is not None,
        headers={"content-type": content_type},
    )
    file = await core.json(request, UploadResponseWithSha256.from_json, sending_options(options, size_bytes))
    return stored_file_of(file)


@asynccontextmanager
async def _downloading(core: Core, url: httpx.URL) -> AsyncIterator[StreamSource]:
    async def attempt(timed: Attempt) -> Reply:
        sending = Sending("GET", str(url), {}, follows_redirects=True)
        return await fetch(core.io, _DOWNLOAD, sending, timed, lambda _: "The download was refused.")

    limits = Limits(_CONNECT_SECONDS, _CONNECT_SECONDS, max_retries=0)
    reply = await run_attempts(core.io, _DOWNLOAD, limits, True, attempt)

    async def chunks() -> AsyncIterator[bytes]:
        try:
            async for chunk in reply.chunks():
                yield chunk
        except httpx.HTTPError as cause:
            raise KilnConnectionError(_DOWNLOAD) from cause

    name = unquote(url.path.rsplit("/", 1)[-1]) or None
    content_type = reply.headers.get("content-type")
    try:
        yield StreamSource(name, content_type and content_type.split(";")[0], chunks)
    finally:
        await reply.close()


def _name_of(source: Union[RepeatableSource, StreamSource], fields: Mapping[str, Any]) -> str:
    name: Optional[str] = fields.get("filename", source.filename)
    if name is None:
        raise ValueError("The source has no name: give the field filename.")
    return name
