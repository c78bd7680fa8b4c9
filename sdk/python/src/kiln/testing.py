"""For tests of code that uses Kiln: clients without a server, and requests as webhooks receive them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Mapping, Optional

import httpx
from standardwebhooks import Webhook

from .core.client import AsyncKiln, Kiln


@dataclass(frozen=True)
class RecordedRequest:
    method: str
    #: With the query.
    path: str
    headers: httpx.Headers
    #: JSON is parsed. Other bodies are text. None without a body.
    body: Any


#: Returns the JSON of a success, or an `httpx.Response`.
Handler = Callable[[RecordedRequest], object]


@dataclass(frozen=True)
class FakeServer:
    """Answers requests with functions: `{"GET /v1/files/:id": lambda request: {"id": …}}`, and all others with 404."""

    handlers: Mapping[str, Handler]
    #: All requests so far.
    requests: List[RecordedRequest] = field(default_factory=list)

    def kiln(self) -> Kiln:
        """A client that never retries."""
        client = httpx.Client(transport=httpx.MockTransport(self._answer))
        return Kiln(base_url="http://kiln.test", api_key="test", http_client=client, max_retries=0)

    def async_kiln(self) -> AsyncKiln:
        """A client that never retries."""
        client = httpx.AsyncClient(transport=httpx.MockTransport(self._answer))
        return AsyncKiln(base_url="http://kiln.test", api_key="test", http_client=client, max_retries=0)

    def _answer(self, sent: httpx.Request) -> httpx.Response:
        request = _recorded(sent)
        self.requests.append(request)
        handler = next((one for route, one in self.handlers.items() if _fits(route, sent)), None)
        if handler is None:
            return problem(404, "NOT_FOUND", f"The test has no handler for {request.method} {request.path}")
        value = handler(request)
        return value if isinstance(value, httpx.Response) else httpx.Response(200, json=value)


def problem(status: int, code: str, error: Optional[str] = None) -> httpx.Response:
    """An error as Kiln returns it, for handlers."""
    return httpx.Response(status, json={"error": error or code, "code": code, "requestId": "test"})


@dataclass(frozen=True)
class SignedRequest:
    body: str
    headers: Dict[str, str]


def signed_webhook(event: Mapping[str, Any], secret: str, at: Optional[datetime] = None) -> SignedRequest:
    """A request to a webhook with the JSON of an event, signed now or at `at`."""
    time = (at or datetime.now(timezone.utc)).astimezone(timezone.utc)
    body = json.dumps(event)
    headers = {
        "content-type": "application/json",
        "webhook-id": str(event["id"]),
        "webhook-timestamp": str(int(time.timestamp())),
        "webhook-signature": Webhook(secret).sign(str(event["id"]), time, body),
    }
    return SignedRequest(body, headers)


def _recorded(sent: httpx.Request) -> RecordedRequest:
    text = sent.content.decode(errors="replace")
    is_json = sent.headers.get("content-type", "").startswith("application/json")
    body = json.loads(text) if is_json else text or None
    return RecordedRequest(sent.method, sent.url.raw_path.decode(), sent.headers, body)


def _fits(route: str, sent: httpx.Request) -> bool:
    verb, template = route.split(" ")
    pattern = re.sub(r":\w+", "[^/]+", re.escape(template).replace(r"\:", ":"))
    return verb == sent.method and re.fullmatch(pattern, sent.url.raw_path.decode().split("?")[0]) is not None
