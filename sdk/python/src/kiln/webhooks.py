"""Verifies the requests that Kiln sends to webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

from typing import Mapping, Sequence, Union

from standardwebhooks import Webhook, WebhookVerificationError

from .core.decode import decode
from .generated.events import EventType, KilnEvent

__all__ = ["EventType", "KilnEvent", "WebhookVerificationError", "verify_webhook"]

_NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")


def verify_webhook(
    *, body: Union[str, bytes], headers: Mapping[str, str], secret: Union[str, Sequence[str]]
) -> KilnEvent:
    """Returns the event. `body` is the body as it arrived, not parsed.

    `secret` is `whsec_…`, or several while a secret is replaced: one of them must fit. Raises WebhookVerificationError if none fits, or if
    the request is more than 5 minutes old or early. The same event can arrive twice: compare `id`.
    """
    read = {name.lower(): value for name, value in headers.items()}
    signed = {name: read.get(name, "") for name in _NAMES}
    secrets = [secret] if isinstance(secret, str) else secret
    failure: Exception = ValueError("secret must not be empty")
    for one in secrets:
        webhook = Webhook(one)
        try:
            event: KilnEvent = decode(KilnEvent, webhook.verify(body, signed))
            return event
        except WebhookVerificationError as error:
            failure = error
        except ValueError as error:
            # The library does not check the form of the headers.
            failure = WebhookVerificationError("The body or the signature cannot be read.")
            failure.__cause__ = error
    raise failure
