"""The Authorization header."""

from __future__ import annotations

import inspect
import re
from typing import Awaitable, Callable, Optional, Union

#: A JWT, or a function that returns one before each attempt. Only `AsyncKiln` awaits it.
Bearer = Union[str, Callable[[], Union[str, Awaitable[str]]]]


class Credentials:
    """It has no readable representation, so that no log prints a secret with the client."""

    def __init__(self, *, api_key: Optional[str], bearer: Optional[Bearer], portal_token: Optional[str]) -> None:
        """Raises ValueError unless there is exactly one kind of credentials."""
        given = [
            (scheme, secret)
            for scheme, secret in (("ApiKey", api_key), ("Bearer", bearer), ("PortalToken", portal_token))
            if secret is not None
        ]
        if len(given) != 1:
            raise ValueError("Give one of api_key, bearer and portal_token.")
        [(self._scheme, self._secret)] = given
        self._latest = ""
        if isinstance(self._secret, str):
            _assert_printable(self._secret)

    async def header(self) -> str:
        secret = self._secret if isinstance(self._secret, str) else self._secret()
        latest = await secret if inspect.isawaitable(secret) else secret
        _assert_printable(latest)
        self._latest = latest
        return f"{self._scheme} {latest}"

    def redact(self, text: str) -> str:
        """The text without the credentials."""
        return text.replace(self._latest, "[redacted]") if self._latest else text


def _assert_printable(secret: object) -> None:
    if not isinstance(secret, str) or not re.fullmatch(r"[\x21-\x7e]+", secret):
        raise ValueError("The credentials must be printable ASCII without blanks.")
