from __future__ import annotations

import asyncio
from typing import Any

import pytest

import kiln
from kiln import KilnError, RequestOptions
from kiln.core.async_io import AsyncIo
from kiln.core.io import Attempt, Io, Sending
from kiln.core.read_events import read_json_events
from kiln.core.sse_parser import SseParser

from .conftest import Clients
from .scripted_server import ScriptedServer, events, hang_up, problem, unavailable

#: Longer than any machine takes to notice a closed connection.
PATIENCE_SECONDS = 60


def event(id: str) -> str:
    return f'id: {id}\nevent: file.created\ndata: {{"id":"evt_{id}","type":"file.created"}}\n\n'


PROGRESS = 'event: job.progress\ndata: {"type":"job.progress"}\n\n'


def test_a_stream_continues_after_a_lost_connection_with_the_event_that_follows_the_last_one(
    server: ScriptedServer, clients: Clients
) -> None:
    first = events(event("1") + event("2") + PROGRESS, "break")
    server.script(first, hang_up, unavailable, events(event("3"), "end"), events(event("4")))
    stream = clients.kiln().events.stream()
    assert [one.to_dict().get("id") for one in clients.take(stream, 5)] == ["evt_1", "evt_2", None, "evt_3", "evt_4"]
    assert [received.headers.get("last-event-id") for received in server.received] == [None, "2", "2", "2", "3"]
    assert stream.last_event_id == "4"


def test_a_stream_continues_with_an_event_that_was_cut_off_by_the_loss_of_the_connection(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(events(event("1") + "id: 2\nevent: file.created\nda", "break"), events(event("2")))
    assert [one.to_dict().get("id") for one in clients.take(clients.kiln().events.stream(), 2)] == ["evt_1", "evt_2"]
    assert [received.headers.get("last-event-id") for received in server.received] == [None, "1"]


def test_a_stream_has_the_id_of_the_last_event_that_the_caller_has_received_though_more_have_arrived(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(events(event("1") + event("2")))
    stream = clients.kiln().events.stream()
    assert [one.to_dict().get("id") for one in clients.take(stream, 1)] == ["evt_1"]
    assert stream.last_event_id == "1"


def test_a_stream_that_is_closed_closes_its_connection(server: ScriptedServer, clients: Clients) -> None:
    server.script(events(event("1")))
    clients.take(clients.kiln().events.stream(), 1)
    assert server.closed.wait(PATIENCE_SECONDS)


def test_leaving_with_closes_the_connection(server: ScriptedServer) -> None:
    server.script(events(event("1")))
    with kiln.Kiln(base_url=server.url, api_key="a") as client, client.events.stream() as stream:
        for _ in stream:
            break
    assert server.closed.wait(PATIENCE_SECONDS)
    server.closed.clear()

    async def leave() -> bool:
        async with kiln.AsyncKiln(base_url=server.url, api_key="a") as client:
            async with client.events.stream() as stream:
                async for _ in stream:
                    break
            return await asyncio.to_thread(server.closed.wait, PATIENCE_SECONDS)

    assert asyncio.run(leave())


def test_a_stream_begins_after_a_kept_event_and_sends_its_query(server: ScriptedServer, clients: Clients) -> None:
    server.script(events(event("8")))
    clients.take(clients.kiln().events.stream(types=["file.created", "job.progress"], space="a", last_event_id="7"), 1)
    assert server.received[0].headers["last-event-id"] == "7"
    assert server.received[0].path == "/v1/events/stream?types=file.created%2Cjob.progress&space=a"


def test_a_stream_ends_with_errors_that_no_retry_changes(server: ScriptedServer, clients: Clients) -> None:
    server.script(problem(410, "EVENTS_EXPIRED"), problem(403, "FORBIDDEN"))
    with pytest.raises(kiln.GoneError):
        clients.take(clients.kiln().events.stream(last_event_id="1"), 1)
    with pytest.raises(kiln.ForbiddenError):
        clients.take(clients.kiln().events.stream(), 1)
    assert len(server.received) == 2


def test_a_stream_with_no_retries_ends_with_its_first_connection(server: ScriptedServer, clients: Clients) -> None:
    server.script(events(event("1"), "break"))
    with pytest.raises(kiln.KilnConnectionError):
        clients.take(clients.kiln().events.stream(options=RequestOptions(max_retries=0)), 2)
    assert len(server.received) == 1


def test_a_stream_gives_up_when_no_connection_has_opened_before_its_deadline(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(hang_up)
    with pytest.raises(kiln.KilnConnectionError):
        clients.take(clients.kiln().events.stream(options=RequestOptions(deadline_seconds=0.1)), 1)


def answer_parts(*parts: str) -> str:
    return "".join(f"data: {part}\n\n" for part in parts)


def test_a_streamed_answer_has_its_parts_and_ends_with_the_end_marker(server: ScriptedServer, clients: Clients) -> None:
    server.script(
        events(": keep-alive\n\n" + answer_parts('{"type":"chunk","content":"B"}', '{"type":"done"}', "[DONE]"))
    )
    parts = clients.all(clients.kiln().search.ask_stream(question="Why?"))
    assert [part.type for part in parts] == ["chunk", "done"]
    assert server.received[0].json == {"question": "Why?", "stream": True}
    assert server.received[0].headers["accept"] == "text/event-stream"


def test_a_streamed_answer_that_fails_or_ends_early_is_an_error(server: ScriptedServer, clients: Clients) -> None:
    error = '{"type":"error","error":"the model has failed","code":"UNAVAILABLE","requestId":"r"}'
    server.script(events(answer_parts(error), "end"), events(answer_parts('{"type":"chunk"}'), "end"))
    with pytest.raises(KilnError, match="the model has failed") as failure:
        clients.all(clients.kiln().search.ask_stream(question="Why?"))
    assert (failure.value.code, failure.value.request_id, failure.value.retryable) == ("UNAVAILABLE", "r", True)
    with pytest.raises(kiln.KilnConnectionError):
        clients.all(clients.kiln().search.ask_stream(question="Why?"))


def test_leaving_a_streamed_answer_ends_its_request(server: ScriptedServer, clients: Clients) -> None:
    server.script(events(answer_parts('{"type":"chunk","content":"B"}')))
    clients.take(clients.kiln().search.ask_stream(question="Why?"), 1)
    assert server.closed.wait(PATIENCE_SECONDS)


def test_a_stream_that_falls_silent_is_a_timeout_and_is_closed(server: ScriptedServer) -> None:
    server.script(events(event("1")))

    async def read() -> Any:
        io: Io = AsyncIo(None)
        reply = await io.send(Sending("GET", server.url, {}), Attempt(PATIENCE_SECONDS))
        async for _ in read_json_events(io, "GET", reply, SseParser(), silence_seconds=0.05):
            pass

    with pytest.raises(kiln.KilnTimeoutError):
        asyncio.run(read())
    assert server.closed.wait(PATIENCE_SECONDS)
