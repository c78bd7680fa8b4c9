"""`kiln.events`."""

from __future__ import annotations

from typing import Optional, Sequence

from ..core.options import RequestOptions
from ..core.resource import AsyncResource, Resource
from ..events.event_stream import AsyncEventStream, EventStream, subscription_of
from ..events.streamed_event import StreamedEventType


class Events(Resource):
    def stream(
        self,
        *,
        types: Optional[Sequence[StreamedEventType]] = None,
        space: Optional[str] = None,
        file_id: Optional[str] = None,
        job_id: Optional[str] = None,
        last_event_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """The events of the organization as they happen, with the bodies that webhooks receive, and the progress of jobs.

        The connection is renewed when it is lost, and continues after the last event. An event can arrive twice: compare `id`. To continue
        later, keep `last_event_id` of the stream. Raises GoneError with the code EVENTS_EXPIRED if events after it are no longer kept.

        `deadline_seconds` is how long the stream tries to renew a lost connection, by default 300. With `max_retries=0` it ends with its
        first connection.
        """
        places = {"space": space, "file_id": file_id, "job_id": job_id}
        return EventStream(subscription_of(self._core, types, places, last_event_id, options))


class AsyncEvents(AsyncResource):
    def stream(
        self,
        *,
        types: Optional[Sequence[StreamedEventType]] = None,
        space: Optional[str] = None,
        file_id: Optional[str] = None,
        job_id: Optional[str] = None,
        last_event_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """See `Events.stream`."""
        places = {"space": space, "file_id": file_id, "job_id": job_id}
        return AsyncEventStream(subscription_of(self._core, types, places, last_event_id, options))
