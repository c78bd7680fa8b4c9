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
            events += list(parser.push(rest[:size]))
            rest = rest[size:]
        assert events == EVENTS
        assert (parser.last_event_id, parser.retry_seconds) == ("", 1.5)


def test_an_id_counts_only_when_its_event_is_complete_with_or_without_data() -> None:
    parser = SseParser("5")
    assert (len(list(parser.push("id: 6\ndata: a\n"))), parser.last_event_id) == (0, "5")
    assert (len(list(parser.push("\nid: 7\n"))), parser.last_event_id) == (1, "6")
    assert (len(list(parser.push("\n"))), parser.last_event_id) == (0, "7")


def test_the_id_is_that_of_the_event_that_was_read_last_and_not_of_a_later_event_in_the_same_text() -> None:
    parser = SseParser()
    text = "id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\n"
    assert [parser.last_event_id for _ in parser.push(text)] == ["1", "2"]


def test_an_event_that_does_not_end_is_refused() -> None:
    parser = SseParser()
    with pytest.raises(ValueError, match="too long"):
        for _ in range(20):
            list(parser.push("x" * 1_048_576))
