"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterator, List, Optional

#: Characters of an event that is not complete.
_PENDING_MAX = 16_777_216


@dataclass(frozen=True)
class ServerSentEvent:
    #: `message` if the event names no type.
    event: str
    data: str


class SseParser:
    def __init__(self, last_event_id: str = "") -> None:
        #: That of the last complete event, also of one without data. Empty if there was none.
        self.last_event_id = last_event_id
        #: The id of an event that is perhaps not complete.
        self._pending_id = last_event_id
        #: The pause before a new connection that the server has asked for.
        self.retry_seconds: Optional[float] = None
        self._pending = ""
        self._data: List[str] = []
        self._event = ""

    def push(self, text: str) -> Iterator[ServerSentEvent]:
        """Yields the events that the text completes. They are read one by one, so that `last_event_id` never is ahead of
        the event that the caller has. Read all of them before the next text. Raises ValueError if an event is too long.
        """
        # The last line is not complete. A CR at its end may be the first half of a CR LF.
        *lines, self._pending = re.split(r"\r\n|\n|\r(?!\Z)", self._pending + text)
        if sum(map(len, self._data), len(self._pending)) > _PENDING_MAX:
            raise ValueError("An event of the stream is too long.")
        for line in lines:
            event = self._read_line(line)
            if event is not None:
                yield event

    def _read_line(self, line: str) -> Optional[ServerSentEvent]:
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._pending_id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,9}", value):
            self.retry_seconds = int(value) / 1_000
        return None

    def _dispatch(self) -> Optional[ServerSentEvent]:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        self.last_event_id = self._pending_id
        return ServerSentEvent(event or "message", "\n".join(data)) if data else None
