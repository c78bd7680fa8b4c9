from __future__ import annotations

from pathlib import Path
from typing import Any, List

import pytest

from kiln import FolderProgress, KilnTimeoutError, UploadProgress

from .conftest import Clients
from .scripted_server import Exchange, Received, ScriptedServer, answer, problem, unavailable


def store(exchange: Exchange, received: Received) -> None:
    """Registers batches, and stores their bytes. It refuses a file with the name `refused`, and the bytes `forbidden`."""
    if received.method == "PUT":
        answer(403 if received.body == "forbidden" else 200, b"")(exchange, received)
        return
    files: Any = received.json["files"]
    answer(201, {"batch_id": "batch_1", "files": [_registered(exchange, at, file) for at, file in enumerate(files)]})(
        exchange, received
    )


def _registered(exchange: Exchange, index: int, file: Any) -> Any:
    if file["filename"] == "refused":
        return {"index": index, "error": {"code": "BAD_REQUEST", "message": "filename"}}
    names = ("space", "content_type", "size_bytes", "storage_key", "status", "job_id", "external_id")
    signed = {"upload_url": f"{exchange.scripted.url}/put/{index}", "upload_method": "PUT", "upload_headers": {}}
    common = {**dict.fromkeys(names), "filename": file["filename"], "expires_in": 1}
    return {**common, **signed, "index": index, "id": f"file_{index}"}


def registrations(server: ScriptedServer) -> List[Any]:
    return [received.json["files"] for received in server.received if received.method == "POST"]


def test_a_file_of_a_batch_that_fails_has_its_error_and_does_not_end_the_others(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(store)
    contents = {"a": b"1", "refused": b"2", "b": b"forbidden", "c": b"3"}
    entries = [{"source": content, "filename": name, "space": "s"} for name, content in contents.items()]
    seen: List[UploadProgress] = []
    upload = clients.of(clients.kiln().batches.upload(entries, on_progress=seen.append))
    assert upload.batch_id == "batch_1"
    assert [file.file and file.file.id for file in upload.files] == ["file_0", None, None, "file_3"]
    assert [file.error and file.error.code for file in upload.files] == [None, "BAD_REQUEST", "UPLOAD_REFUSED", None]
    assert registrations(server)[0][0] == {"filename": "a", "space": "s", "size_bytes": 1}
    assert (max(one.sent_bytes for one in seen), seen[0].total_bytes) == (11, 12)


def test_a_folder_is_uploaded_in_batches_of_fifty_with_its_paths_as_metadata(
    server: ScriptedServer, clients: Clients, tmp_path: Path
) -> None:
    (tmp_path / "inner/deep").mkdir(parents=True)
    for at in range(51):
        (tmp_path / f"{at}.txt").write_text(str(at))
    (tmp_path / "inner/deep/z.txt").write_text("z")
    (tmp_path / "inner/skip.log").write_text("log")
    (tmp_path / "loop").symlink_to(tmp_path)
    server.script(store)
    seen: List[FolderProgress] = []
    upload = clients.of(
        clients.kiln().batches.upload_folder(
            tmp_path,
            filter=lambda path: path.endswith(".txt"),
            fields=lambda _: {"space": "s"},
            on_progress=seen.append,
        )
    )
    assert (len(upload.batch_ids), len(upload.files)) == (2, 52)
    assert seen == [FolderProgress(50, 52), FolderProgress(52, 52)]
    assert [len(files) for files in registrations(server)] == [50, 2]
    last = {"filename": "z.txt", "metadata": {"path": "inner/deep/z.txt"}, "space": "s", "size_bytes": 1}
    assert registrations(server)[1][-1] == last
    assert upload.files[-1].path == "inner/deep/z.txt"
    assert all(file.file is not None for file in upload.files)


def test_a_batch_that_cannot_be_registered_is_an_error_of_each_of_its_files(
    server: ScriptedServer, clients: Clients, tmp_path: Path
) -> None:
    for at in range(51):
        (tmp_path / f"{at}.txt").write_text(str(at))
    server.script(problem(400, "BAD_REQUEST"), store)
    upload = clients.of(clients.kiln().batches.upload_folder(tmp_path))
    codes = [file.error and file.error.code for file in upload.files]
    assert (len(upload.batch_ids), codes) == (1, ["BAD_REQUEST"] * 50 + [None])


def test_a_file_that_is_gone_has_an_error(server: ScriptedServer, clients: Clients, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    server.script(store)

    def keep(path: str) -> bool:
        if path == "a.txt":
            (tmp_path / path).unlink()
        return True

    upload = clients.of(clients.kiln().batches.upload_folder(tmp_path, filter=keep))
    assert [(file.path, file.error and file.error.code) for file in upload.files] == [
        ("a.txt", "UNREADABLE"),
        ("b.txt", None),
    ]


def test_a_file_that_goes_while_the_batch_is_sent_has_an_error(
    server: ScriptedServer, clients: Clients, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)

    def register(exchange: Exchange, received: Received) -> None:
        (tmp_path / "a.txt").unlink()
        store(exchange, received)

    server.script(register, store)
    upload = clients.of(clients.kiln().batches.upload_folder(tmp_path))
    assert [(file.path, file.error and file.error.code) for file in upload.files] == [
        ("a.txt", "UNREADABLE"),
        ("b.txt", None),
    ]
    assert upload.batch_ids == ["batch_1"]


def test_waiting_asks_again_until_the_end(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(200, {"status": "queued"}), unavailable, answer(200, {"status": "failed"}))
    assert clients.of(clients.kiln(max_retries=0).jobs.wait_for("job_1")).status == "failed"
    assert [received.path for received in server.received] == ["/v1/jobs/job_1?wait=60"] * 3
    growing = answer(200, {"in_progress": 0, "rest": "follows"})
    server.script(answer(200, {"in_progress": 1}), growing, answer(200, {"in_progress": 0, "rest": "none"}))
    assert clients.of(clients.kiln().batches.wait_for("batch_1", deadline_seconds=20)).rest == "none"
    server.script(answer(200, {"in_progress": 0}))
    assert clients.of(clients.kiln().batches.wait_for("batch_1", deadline_seconds=20)).in_progress == 0


def test_waiting_has_a_deadline(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(200, {"status": "queued"}))
    with pytest.raises(KilnTimeoutError) as failure:
        clients.of(clients.kiln().jobs.wait_for("job_1", deadline_seconds=0.3))
    assert failure.value.code == "DEADLINE"
