"""What the stream of events sends. Its endpoint only streams, so nothing of it is generated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from ..core.decode import Model, decode
from ..generated.events import EventType, KilnEvent


@dataclass
class JobProgress(Model):
    job_id: str
    file_id: str
    space: str
    step: str
    progress: float
    """From 0 to 1."""


@dataclass
class JobProgressEvent(Model):
    """How far a job is. It has no id, is not stored, and does not come again."""

    type: Literal["job.progress"]
    created_at: str
    org_id: str
    data: JobProgress


StreamedEvent = Union[KilnEvent, JobProgressEvent]
StreamedEventType = Union[EventType, Literal["job.progress"]]


def streamed_event_from_json(value: object) -> StreamedEvent:
    event: StreamedEvent = decode(StreamedEvent, value)
    return event
