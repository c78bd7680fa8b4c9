"""A stream of events that outlasts its connections."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass, field, replace
from typing import AsyncGenerator, Dict, Mapping, Optional, Sequence

from ..core.attempts import outcome_of
from ..core.errors import KilnConnectionError, KilnError
from ..core.io import Reply
from ..core.options import Limits, RequestOptions
from ..core.read_events import read_json_events
from ..core.request import Request
from ..core.retry import Attempted, retry_delay_seconds
from ..core.sse_parser import SseParser
from ..core.streams import AsyncStream, Stream
from ..core.transport import Core
from .streamed_event import StreamedEvent, StreamedEventType, streamed_event_from_json

_REQUEST = Request("GET", "/v1/events/stream")


@dataclass
class Subscription:
    """What is followed, and how far."""

    core: Core
    query: Mapping[str, object]
    options: RequestOptions
    last_event_id: Optional[str] = field(default=None)


class EventStream(Stream[StreamedEvent]):
    """Leaving `with` closes the connection."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription
        super().__init__(_follow(subscription))

    @property
    def last_event_id(self) -> Optional[str]:
        """The last event that the loop has received."""
        return self._subscription.last_event_id


class AsyncEventStream(AsyncStream[StreamedEvent]):
    """Leaving `async with` closes the connection."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription
        super().__init__(_follow(subscription))

    @property
    def last_event_id(self) -> Optional[str]:
        """The last event that the loop has received."""
        return self._subscription.last_event_id


def subscription_of(
    core: Core,
    types: Optional[Sequence[StreamedEventType]],
    places: Mapping[str, Optional[str]],
    last_event_id: Optional[str],
    options: Optional[RequestOptions],
) -> Subscription:
    query = {"types": None if types is None else ",".join(types), **places}
    return Subscription(core, query, options or RequestOptions(), last_event_id)


async def _follow(subscription: Subscription) -> AsyncGenerator[StreamedEvent, None]:
    core = subscription.core
    limits = core.limits_of(subscription.options)
    contact_at = time.monotonic()
    retries_done = 0
    while True:
        parser = SseParser(subscription.last_event_id or "")
        is_open = False
        try:
            reply = await _open(subscription)
            is_open = True
            events = read_json_events(core.io, _REQUEST.what, reply, parser)
            try:
                async for event in events:
                    retries_done = 0
                    subscription.last_event_id = parser.last_event_id or subscription.last_event_id
                    yield streamed_event_from_json(event)
            finally:
                await events.aclose()
            failure: KilnError = KilnConnectionError(_REQUEST.what)
        except KilnError as error:
            failure = error
        now = time.monotonic()
        contact_at = now if is_open else contact_at
        delay = _delay(failure, limits, retries_done, contact_at + limits.deadline_seconds - now)
        if delay is None:
            raise failure
        await core.io.sleep(max(delay, parser.retry_seconds or 0))
        retries_done += 1


async def _open(subscription: Subscription) -> Reply:
    """One attempt: the stream counts the retries."""
    last = subscription.last_event_id
    headers: Dict[str, str] = {} if last is None else {"last-event-id": last}
    options = replace(subscription.options, max_retries=0, deadline_seconds=None)
    return await subscription.core.open(replace(_REQUEST, query=subscription.query, headers=headers), options)


def _delay(failure: KilnError, limits: Limits, retries_done: int, remaining: float) -> Optional[float]:
    outcome = outcome_of(failure)
    attempted = Attempted(
        retries_done=retries_done,
        max_retries=0 if limits.max_retries == 0 else math.inf,
        is_repeatable=True,
        remaining_seconds=remaining,
        random=random.random(),  # noqa: S311
    )
    return None if outcome is None else retry_delay_seconds(outcome, attempted)
