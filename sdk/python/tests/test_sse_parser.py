from __future__ import annotations

import random

import pytest

from kiln.core.sse_parser import ServerSentEvent, SseParser

TEXT = "\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\n:comment\nevent: x\ndata:  c\n\nretry: 1500\nid\ndata\n\ndata: lost"
EVENTS = [ServerSentEvent("message", "a\nb"), ServerSentEvent("x", " c"), ServerSentEvent("message", "")]


def test_events_are_the_same_wherever_the_text_is_cut() -> None:
    seeded = random.Random(1)
    for _ in range(200):
        parser, events, rest = SseParser(), [], TEXT
        while rest:
            size = seeded.randint(1, 8)
            events += parser.push(rest[:size])
            rest = rest[size:]
        assert events == EVENTS
        assert (parser.last_event_id, parser.retry_seconds) == ("", 1.5)


def test_an_event_that_does_not_end_is_refused() -> None:
    parser = SseParser()
    with pytest.raises(ValueError, match="too long"):
        for _ in range(20):
            parser.push("x" * 1_048_576)
