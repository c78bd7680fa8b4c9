from __future__ import annotations

import email
import io
import os
import re
from pathlib import Path
from typing import IO, Any, Dict, List

import httpx
import pytest

import kiln
from kiln import UploadProgress

from .conftest import Clients
from .scripted_server import Behaviour, Exchange, Received, ScriptedServer, answer, hang_up, problem, unavailable

stored = answer(200, b"")
created = answer(201, {"id": "file_1", "job_id": "job_1", "sha256": "x"})
LARGE = b"a" * (1024 * 1024 + 1)


def registered(exchange: Exchange, received: Received) -> None:
    url = f"{exchange.scripted.url}/put?signature=s3cret"
    headers = {"x-amz-meta-a": "b"}
    file = {"id": "file_1", "job_id": "job_1", "upload_url": url, "upload_headers": headers}
    answer(201, file)(exchange, received)


def puts(server: ScriptedServer) -> List[Received]:
    return [received for received in server.received if received.method == "PUT"]


def source(kind: str, folder: Path, content: bytes) -> Any:
    path = folder / "a.txt"
    path.write_bytes(content)
    if kind == "file":
        return path.open("rb")
    return {"path": path, "text path": str(path), "bytes": content, "buffer": io.BytesIO(content)}[kind]


def parts_of(received: Received) -> Any:
    """The parts of a multipart body."""
    message = email.message_from_string(f"Content-Type: {received.headers['content-type']}\n\n{received.body}")
    return message.get_payload()


@pytest.mark.parametrize("kind", ["path", "text path", "bytes", "buffer", "file"])
def test_more_than_a_mebibyte_is_registered_once_and_sent_whole_in_each_attempt(
    server: ScriptedServer, clients: Clients, tmp_path: Path, kind: str
) -> None:
    server.script(registered, hang_up, problem(503, "SlowDown", {"retry-after": "0"}), stored)
    given = source(kind, tmp_path, LARGE)
    file = clients.of(clients.kiln().files.upload(given, filename="b.txt", space="s", metadata=None))
    assert (file.id, file.job_id) == ("file_1", "job_1")
    assert "upload_url" not in file.to_dict()
    assert server.received[0].json == {"filename": "b.txt", "space": "s", "size_bytes": len(LARGE)}
    assert [put.body for put in puts(server)] == [LARGE.decode()] * 3
    assert puts(server)[2].headers["content-length"] == str(len(LARGE))
    assert puts(server)[2].headers["x-amz-meta-a"] == "b"
    assert "authorization" not in puts(server)[2].headers
    if hasattr(given, "close"):
        given.close()


@pytest.mark.parametrize("kind", ["path", "text path", "bytes", "buffer", "file"])
def test_up_to_a_mebibyte_is_one_request_whose_repeats_have_the_same_key_and_the_same_bytes(
    server: ScriptedServer, clients: Clients, tmp_path: Path, kind: str
) -> None:
    server.script(hang_up, problem(503, "UNAVAILABLE", {"retry-after": "0"}), created)
    given = source(kind, tmp_path, b"some bytes")
    file = clients.of(clients.kiln().files.upload(given, filename="b.txt", space="s", metadata=None))
    assert (file.id, file.job_id) == ("file_1", "job_1")
    assert len(server.received) == 3
    assert len({(sent.headers["idempotency-key"], sent.body) for sent in server.received}) == 1
    parts = parts_of(server.received[2])
    assert [part.get_payload() for part in parts] == ["b.txt", "s", "some bytes"]
    if hasattr(given, "close"):
        given.close()


def test_a_path_and_an_open_file_have_a_name_and_a_file_is_sent_from_its_position(
    server: ScriptedServer, clients: Clients, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"some bytes")
    server.script(created, created)
    files = clients.kiln().files
    clients.of(files.upload(path))
    with path.open("rb") as file:
        file.seek(5)
        clients.of(files.upload(file))
    sent = [parts_of(received)[1] for received in server.received]
    assert [part.get_filename() for part in sent] == ["a.txt", "a.txt"]
    assert [part.get_payload() for part in sent] == ["some bytes", "bytes"]


def test_the_progress_is_reported(server: ScriptedServer, clients: Clients) -> None:
    server.script(created)
    seen: List[UploadProgress] = []
    clients.of(clients.kiln().files.upload(b"x" * 100_000, filename="a", on_progress=seen.append))
    assert seen == [UploadProgress(65_536, 100_000), UploadProgress(100_000, 100_000)]


def test_a_store_that_refuses_the_bytes_is_an_error_without_the_signature(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(registered, answer(403, b"<Error>s3cret</Error>"))
    with pytest.raises(kiln.ForbiddenError) as failure:
        clients.of(clients.kiln().files.upload(LARGE, filename="a"))
    assert (failure.value.code, str(failure.value)) == (
        "UPLOAD_REFUSED",
        "The object store refused the bytes. Status: 403.",
    )


@pytest.mark.parametrize(
    ("given", "fields", "error"),
    [
        (b"a", {}, "The source has no name"),
        (io.StringIO("a"), {"filename": "a"}, "must be a path, bytes"),
        (5, {"filename": "a"}, "must be a path, bytes"),
        (b"a", {"filename": "a", "spcae": "b"}, "no field spcae"),
        ("missing.txt", {}, "is not a file"),
    ],
)
def test_what_cannot_be_uploaded_is_refused_before_a_request(
    server: ScriptedServer, clients: Clients, given: Any, fields: Dict[str, str], error: str
) -> None:
    with pytest.raises((TypeError, ValueError, OSError), match=error):
        clients.of(clients.kiln().files.upload(given, **fields))
    assert server.received == []


def pipe_with(content: bytes) -> IO[bytes]:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as end:
        end.write(content)
    return os.fdopen(reading, "rb")


def test_a_file_that_cannot_seek_is_one_multipart_request_with_its_fields_first(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(answer(201, {"id": "file_1", "sha256": "x"}))
    seen: List[UploadProgress] = []
    with pipe_with(b"one two") as pipe:
        file = clients.of(
            clients.kiln().files.upload(
                pipe, filename='a"b.txt', metadata={"year": "2020"}, skip_processing=True, on_progress=seen.append
            )
        )
    assert file.id == "file_1"
    received = server.received[0]
    assert (received.method, received.path) == ("POST", "/v1/upload")
    parts = parts_of(received)
    names = [re.findall(r'name="([^"]*)"', part["content-disposition"]) for part in parts]
    assert names == [["filename"], ["metadata"], ["skip_processing"], ["file", "a%22b.txt"]]
    assert [part.get_payload() for part in parts] == ['a"b.txt', '{"year": "2020"}', "true", "one two"]
    assert parts[3].get_content_type() == "application/octet-stream"
    assert seen == [UploadProgress(7, None)]


def test_a_file_that_cannot_seek_is_never_sent_again(server: ScriptedServer, clients: Clients) -> None:
    server.script(hang_up, unavailable)
    for _ in range(2):
        with pipe_with(b"one") as pipe, pytest.raises(kiln.KilnError):
            clients.of(clients.kiln().files.upload(pipe, filename="a"))
    assert len(server.received) == 2


def test_bytes_at_a_url_are_sent_with_their_name_and_type(server: ScriptedServer, clients: Clients) -> None:
    download: Behaviour = answer(200, b"<p>", {"content-type": "text/html; charset=utf-8"})
    server.script(answer(302, b"", {"location": "/moved"}), download, answer(201, {"id": "file_1", "sha256": "x"}))
    clients.of(clients.kiln().files.upload(httpx.URL(f"{server.url}/pages/annual%20report.html?x=1")))
    first, _, upload = server.received
    assert "authorization" not in first.headers
    assert 'filename="annual report.html"\r\nContent-Type: text/html\r\n\r\n<p>' in upload.body


def test_a_url_that_is_refused_is_an_error_with_its_status(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(404, b""))
    with pytest.raises(kiln.NotFoundError, match=re.escape("The download was refused.")):
        clients.of(clients.kiln().files.upload(httpx.URL(f"{server.url}/a.pdf")))
