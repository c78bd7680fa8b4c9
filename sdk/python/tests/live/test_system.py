from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, List

import httpx
import pytest

import kiln
from kiln.models import FileProcessingCompletedEvent, WebhookTestEvent
from kiln.webhooks import verify_webhook

from ..conftest import Clients
from ..scripted_server import ScriptedServer, answer

TEXT = "# Zephyr\n\nThe warranty of the Zephyr turbine is ten years.\n"
QUESTION = "How long is the warranty of the Zephyr turbine?"
MISSING = "file_01h455vb4pex5vsknk084sn02q"


def read(system: Clients, client: Any, file: Any) -> str:
    assert system.of(client.jobs.wait_for(file.job_id, deadline_seconds=120)).status == "completed"
    text: str = system.of(client.variants.read(file.id, "markdown"))
    return text


def names(files: List[Any]) -> List[str]:
    return sorted(file.filename for file in files)


def test_a_path_bytes_files_and_a_url_are_read_as_markdown(
    system: Clients, server: ScriptedServer, tmp_path: Path, space: str
) -> None:
    path = tmp_path / "path.md"
    path.write_text(TEXT)
    server.script(answer(200, TEXT.encode(), {"content-type": "text/markdown"}))
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as end:
        end.write(TEXT.encode())
    client = system.kiln()
    with os.fdopen(reading, "rb") as pipe:
        uploads = [
            client.files.upload(path, space=space),
            client.files.upload(TEXT.encode(), filename="bytes.md", space=space),
            client.files.upload(io.BytesIO(TEXT.encode()), filename="buffer.md", space=space),
            client.files.upload(pipe, filename="pipe.md", space=space, metadata={"by": "pipe"}),
            client.files.upload(httpx.URL(f"{server.url}/url.md"), space=space),
        ]
        files = [system.of(upload) for upload in uploads]
    assert [read(system, client, file) for file in files] == [TEXT] * 5
    found = system.of(client.files.list(space=space).all(limit=100))
    assert names(found) == ["buffer.md", "bytes.md", "path.md", "pipe.md", "url.md"]


def test_a_folder_is_a_batch_whose_end_can_be_waited_for(system: Clients, tmp_path: Path, space: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "zephyr.md").write_text(TEXT)
    (tmp_path / "inner/other.md").write_text("# Other\n")
    client = system.kiln()
    upload = system.of(
        client.batches.upload_folder(tmp_path, fields=lambda path: {"space": space, "metadata": {"path": path}})
    )
    assert [(file.path, file.error) for file in upload.files] == [("inner/other.md", None), ("zephyr.md", None)]
    batch = system.of(client.batches.wait_for(upload.batch_ids[0]))
    assert (batch.total, batch.completed, batch.in_progress) == (2, 2, 0)
    found = system.of(client.files.list(space=space, metadata={"path": "inner/other.md"}).first_page())
    assert names(found.files) == ["other.md"]


def test_a_list_is_read_a_page_at_a_time(system: Clients, space: str) -> None:
    client = system.kiln()
    for name in "abc":
        system.of(client.files.upload(name.encode(), filename=name, space=space, skip_processing=True))
    listed = client.files.list(space=space, limit=2, sort_by="filename", sort_order="asc")
    assert [file.filename for file in system.all(listed)] == ["a", "b", "c"]
    assert [len(page.files) for page in system.all(listed.pages())] == [2, 1]


def test_a_search_finds_and_an_answer_arrives_in_parts(system: Clients, space: str) -> None:
    client = system.kiln()
    file = system.of(client.files.upload(TEXT.encode(), filename="zephyr.md", space=space))
    read(system, client, file)
    found = system.of(client.search.query(query="warranty turbine", space=space))
    assert [result.file_id for result in found.results] == [file.id]
    parts = system.all(client.search.ask_stream(question=QUESTION, space=space))
    answer = "".join(part.content for part in parts if part.type == "chunk")
    assert answer == "The warranty of the Zephyr turbine is ten years. [1]"
    sources = [source.file_id for part in parts if part.type == "sources" for source in part.sources]
    assert sources == [file.id]
    assert system.of(client.search.ask(question=QUESTION, space=space)).answer == answer


def test_a_stream_of_events_continues_after_the_last_one(system: Clients, space: str) -> None:
    client = system.kiln()
    latest = _latest_event(system, client, space)
    file = system.of(client.files.upload(TEXT.encode(), filename="zephyr.md", space=space))
    resumed = client.events.stream(types=["file.processing.completed"], space=space, last_event_id=latest)
    [completed] = system.take(resumed, 1)
    assert isinstance(completed, FileProcessingCompletedEvent)
    assert completed.data.file_id == file.id


def _latest_event(system: Clients, client: Any, space: str) -> str:
    """A stream without an id begins when it is open: files are created until it has sent an event."""
    stream = client.events.stream(types=["file.created"], space=space)
    with system.repeating(lambda other: other.files.upload(b"a", filename="a", space=space, skip_processing=True)):
        system.take(stream, 1)
    id: str = stream.last_event_id
    return id


def test_a_request_to_a_webhook_is_verified(system: Clients, server: ScriptedServer) -> None:
    client = system.kiln()
    webhook = system.of(client.webhooks.create(url=server.url, events=["*"]))
    system.of(client.webhooks.test(webhook.id))
    request = server.await_request()
    event = verify_webhook(body=request.body, headers=request.headers, secret=webhook.secret)
    assert isinstance(event, WebhookTestEvent)
    assert event.data.webhook_id == webhook.id
    system.of(client.webhooks.delete(webhook.id))


def test_errors_have_their_codes(system: Clients) -> None:
    client = system.kiln()
    with pytest.raises(kiln.NotFoundError) as failure:
        system.of(client.files.get(MISSING))
    assert (failure.value.code, failure.value.status) == ("NOT_FOUND", 404)
    assert failure.value.request_id is not None
    with pytest.raises(kiln.UnauthorizedError):
        system.of(system.kiln(api_key="kiln_live_x").organization.get_me())
    later = system.of(client.files.create(filename="later.md"))
    with pytest.raises(kiln.ConflictError):
        system.of(client.files.download(later.id))


class LosesFirstResponse(httpx.HTTPTransport):
    lost = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if self.lost == 0:
            self.lost += 1
            response.read()
            raise httpx.ReadError("lost")
        return response


def test_a_file_is_registered_once_although_the_response_is_lost(system: Clients, space: str) -> None:
    transport = LosesFirstResponse()
    with (
        httpx.Client(transport=transport) as http_client,
        kiln.Kiln(**system.options, http_client=http_client) as client,
    ):
        file = client.files.upload(b"a", filename="a", space=space, skip_processing=True)
        assert [found.id for found in client.files.list(space=space)] == [file.id]
    assert transport.lost == 1
