"""The errors of the SDK. Each has a code, says whether a retry can help, and contains no credentials."""

from __future__ import annotations

from typing import Dict, Literal, Optional, Type

from .retry import is_retryable_status


class KilnError(Exception):
    """The base of all errors of the SDK."""

    def __init__(self, code: str, message: str, *, retryable: bool, request_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: Whether the same request can succeed later, unchanged.
        self.retryable = retryable
        #: Include it in support requests. None if no response arrived.
        self.request_id = request_id


class KilnConnectionError(KilnError):
    """No response arrived, or it broke off."""

    def __init__(self, what: str) -> None:
        super().__init__("CONNECTION", f"{what}: no complete response arrived.", retryable=True)


class KilnTimeoutError(KilnError):
    """`TIMEOUT`: one attempt took too long. `DEADLINE`: all of them together did."""

    def __init__(self, code: Literal["TIMEOUT", "DEADLINE"], message: str) -> None:
        super().__init__(code, message, retryable=True)


class KilnApiError(KilnError):
    """A response with an error status."""

    def __init__(
        self, *, status: int, code: str, message: str, request_id: Optional[str], retry_after_seconds: Optional[int]
    ) -> None:
        retryable = is_retryable_status(status) or retry_after_seconds is not None
        super().__init__(code, message, retryable=retryable, request_id=request_id)
        self.status = status
        #: Seconds to wait before a retry, if the server has named a time.
        self.retry_after_seconds = retry_after_seconds


class BadRequestError(KilnApiError):
    """400: the body or a parameter is invalid."""


class UnauthorizedError(KilnApiError):
    """401: credentials are missing or invalid."""


class QuotaExceededError(KilnApiError):
    """402: the page quota is used up."""


class ForbiddenError(KilnApiError):
    """403: the credentials do not permit this."""


class NotFoundError(KilnApiError):
    """404: the resource does not exist."""


class ConflictError(KilnApiError):
    """409: the state of the resource does not allow this."""


class GoneError(KilnApiError):
    """410: the events after this id are no longer kept."""


class PayloadTooLargeError(KilnApiError):
    """413: the body or the upload is larger than its limit."""


class BucketUnavailableError(KilnApiError):
    """424: the connected bucket did not respond."""


class RateLimitedError(KilnApiError):
    """429: too many requests."""


class ServerError(KilnApiError):
    """500 and above."""


_CLASSES: Dict[int, Type[KilnApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    402: QuotaExceededError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: PayloadTooLargeError,
    424: BucketUnavailableError,
    429: RateLimitedError,
}


def api_error_class(status: int) -> Type[KilnApiError]:
    return _CLASSES.get(status, ServerError if status >= 500 else KilnApiError)
