"""A multipart body around the bytes of a file (RFC 7578): the fields, then the file."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any, AsyncIterator, Mapping, Tuple

from ..core.request import OpenBytes


def multipart_of(fields: Mapping[str, Any], open_bytes: OpenBytes) -> Tuple[str, OpenBytes]:
    """Returns the content type and the body. `fields` has the `filename`."""
    content_type = fields.get("content_type", "application/octet-stream")
    if re.search(r"[\r\n]", content_type):
        raise ValueError("content_type must be one line")
    boundary = f"kiln-{secrets.token_hex(12)}"
    texts = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{_text(value)}\r\n'
        for name, value in fields.items()
    )
    disposition = f'form-data; name="file"; filename="{_escaped(fields["filename"])}"'
    head = f"{texts}--{boundary}\r\nContent-Disposition: {disposition}\r\nContent-Type: {content_type}\r\n\r\n"

    async def enclosed() -> AsyncIterator[bytes]:
        yield head.encode()
        async for chunk in open_bytes():
            yield chunk
        yield f"\r\n--{boundary}--\r\n".encode()

    return f"multipart/form-data; boundary={boundary}", enclosed


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _escaped(filename: str) -> str:
    """As browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data."""
    return filename.replace("\n", "%0A").replace("\r", "%0D").replace('"', "%22")
