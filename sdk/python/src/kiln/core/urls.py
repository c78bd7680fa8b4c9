"""Addresses of requests."""

from __future__ import annotations

import re
from typing import Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit


def checked_base_url(base_url: str) -> str:
    """Raises ValueError unless it is an http(s) address. Returns it without a slash at the end."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url must be an address such as https://kiln.example.com")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("base_url must have no credentials, query or fragment")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def path_of(template: str, parameters: Sequence[Union[str, int]]) -> str:
    """Fills the `{names}` of a path in their order. A parameter that would lead to another path is a ValueError."""
    values = iter(parameters)

    def fill(name: re.Match[str]) -> str:
        value = str(next(values))
        if value in ("", ".", ".."):
            raise ValueError(f'{name.group(1)} must not be empty, "." or ".."')
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, template)


def query_of(query: Optional[Mapping[str, object]]) -> str:
    """Leaves out None. Each key of a mapping is a parameter: `metadata.department=legal`."""
    pairs: list[tuple[str, str]] = []
    for name, value in (query or {}).items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            pairs += [
                (key if key.startswith(f"{name}.") else f"{name}.{key}", _text(one)) for key, one in value.items()
            ]
        else:
            pairs.append((name, _text(value)))
    return f"?{urlencode(pairs)}" if pairs else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
