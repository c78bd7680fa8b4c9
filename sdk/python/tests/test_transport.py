from __future__ import annotations

import re
from typing import Any, Dict

import pytest

import kiln
from kiln import KilnApiError, KilnConnectionError, KilnError, KilnTimeoutError, RequestOptions

from .conftest import Clients
from .scripted_server import ScriptedServer, answer, break_off, hang_up, problem, stall, unavailable


def test_a_request_has_credentials_version_path_and_query(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(200, {"files": [], "next_cursor": None}))
    files = clients.kiln().files
    clients.of(files.list(space="a b", limit=2, metadata={"department": "legal"}).first_page())
    clients.of(files.get("a/b"))
    first, second = server.received
    assert first.path == "/v1/files?space=a+b&metadata.department=legal&limit=2"
    assert second.path == "/v1/files/a%2Fb"
    assert first.headers["authorization"] == "ApiKey kiln_test_secret"
    assert re.fullmatch(r"kiln-sdk-python/\d+\.\d+\.\d+", first.headers["user-agent"])


def test_omitted_fields_are_not_sent_and_none_is_null_where_the_api_takes_it(
    server: ScriptedServer, clients: Clients
) -> None:
    files = clients.kiln().files
    clients.of(files.update("file_1", space="a", filename=None))
    clients.of(files.update("file_1", external_id=None))
    assert [received.json for received in server.received] == [{"space": "a"}, {"external_id": None}]


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_an_id_that_leads_to_another_path_is_refused(server: ScriptedServer, clients: Clients, id: str) -> None:
    with pytest.raises(ValueError, match="id must not be empty"):
        clients.of(clients.kiln().files.get(id))
    assert server.received == []


def test_a_request_is_repeated_after_a_lost_connection_a_broken_body_and_a_status(
    server: ScriptedServer, clients: Clients
) -> None:
    server.script(hang_up, break_off, unavailable, answer(200, {"id": "file_1"}))
    assert clients.of(clients.kiln().files.get("file_1")).id == "file_1"
    assert len(server.received) == 4


def test_zero_retries_means_zero(server: ScriptedServer, clients: Clients) -> None:
    server.script(unavailable)
    with pytest.raises(kiln.ServerError):
        clients.of(clients.kiln(max_retries=0).files.get("file_1"))
    with pytest.raises(kiln.ServerError):
        clients.of(clients.kiln().files.get("file_1", options=RequestOptions(max_retries=0)))
    assert len(server.received) == 2


def test_retry_after_over_the_cap_fails(server: ScriptedServer, clients: Clients) -> None:
    server.script(problem(429, "RATE_LIMITED", {"retry-after": "61"}))
    with pytest.raises(kiln.RateLimitedError) as failure:
        clients.of(clients.kiln().files.get("file_1"))
    assert failure.value.retry_after_seconds == 61
    assert len(server.received) == 1


def test_a_post_keeps_one_idempotency_key_over_its_attempts(server: ScriptedServer, clients: Clients) -> None:
    server.script(unavailable, unavailable, answer(200, {}))
    files = clients.kiln().files
    clients.of(files.create(filename="a", content="b"))
    clients.of(files.create(filename="a", content="b"))
    clients.of(files.create(filename="a", options=RequestOptions(idempotency_key="mine")))
    keys = [received.headers["idempotency-key"] for received in server.received]
    assert keys[0] == keys[1] == keys[2]
    assert keys[3] != keys[0]
    assert keys[4] == "mine"


@pytest.mark.parametrize("credential", ["api_key", "bearer", "portal_token"])
def test_no_error_contains_the_credentials(server: ScriptedServer, clients: Clients, credential: str) -> None:
    server.script(answer(401, {"error": "no key s3cret here", "code": "UNAUTHORIZED", "requestId": "r"}))
    options: Dict[str, Any] = {"api_key": None, credential: "s3cret"}
    with pytest.raises(kiln.UnauthorizedError) as failure:
        clients.of(clients.kiln(**options).files.get("file_1"))
    assert str(failure.value) == "no key [redacted] here"


def test_a_bearer_function_is_called_for_each_attempt(server: ScriptedServer, clients: Clients) -> None:
    server.script(unavailable, answer(200, {}))
    tokens = iter(["one", "two"])
    clients.of(clients.kiln(api_key=None, bearer=lambda: next(tokens)).files.get("file_1"))
    assert [received.headers["authorization"] for received in server.received] == ["Bearer one", "Bearer two"]


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "BadRequestError"),
        (401, "UnauthorizedError"),
        (402, "QuotaExceededError"),
        (403, "ForbiddenError"),
        (404, "NotFoundError"),
        (409, "ConflictError"),
        (410, "GoneError"),
        (413, "PayloadTooLargeError"),
        (418, "KilnApiError"),
        (424, "BucketUnavailableError"),
        (429, "RateLimitedError"),
        (500, "ServerError"),
    ],
)
def test_an_error_has_the_class_of_its_status(server: ScriptedServer, clients: Clients, status: int, name: str) -> None:
    server.script(problem(status, "SOME_CODE"))
    with pytest.raises(KilnApiError) as failure:
        clients.of(clients.kiln(max_retries=0).files.get("file_1"))
    error = failure.value
    assert type(error).__name__ == name
    assert (error.status, error.code, error.message) == (status, "SOME_CODE", "problem SOME_CODE")
    assert (error.request_id, error.retryable) == ("request-1", status in (429, 500))


def test_an_error_that_is_not_from_kiln_says_its_status(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(404, b"<html>", {"x-request-id": "r"}))
    with pytest.raises(
        kiln.NotFoundError, match=re.escape("GET /v1/files/{id} was answered with status 404.")
    ) as found:
        clients.of(clients.kiln().files.get("file_1"))
    assert (found.value.code, found.value.request_id) == ("UNKNOWN", "r")


def test_a_success_that_is_not_json_is_an_error(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(200, b"<html>"), answer(200, []))
    for _ in range(2):
        with pytest.raises(KilnError) as failure:
            clients.of(clients.kiln().files.get("file_1"))
        assert (failure.value.code, failure.value.retryable) == ("INVALID_RESPONSE", False)


def test_a_redirect_is_not_followed(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(302, {}, {"location": f"{server.url}/other"}))
    with pytest.raises(KilnApiError):
        clients.of(clients.kiln().files.get("file_1"))
    assert len(server.received) == 1


def test_an_attempt_and_all_attempts_have_their_limits(server: ScriptedServer, clients: Clients) -> None:
    server.script(stall)
    limits = {"timeout_seconds": 0.05, "max_retries": 1}
    with pytest.raises(KilnTimeoutError) as failure:
        clients.of(clients.kiln(**limits).files.get("file_1"))
    assert (failure.value.code, failure.value.retryable) == ("TIMEOUT", True)
    with pytest.raises(KilnTimeoutError) as failure:
        clients.of(clients.kiln(deadline_seconds=0.05).files.get("file_1"))
    assert failure.value.code == "DEADLINE"
    with pytest.raises(KilnTimeoutError):
        clients.of(clients.kiln(timeout_seconds=0, max_retries=0).files.get("file_1"))


def test_a_server_that_cannot_be_reached_is_a_connection_error(clients: Clients) -> None:
    unreachable = clients.kiln(base_url="http://127.0.0.1:1", max_retries=0)
    with pytest.raises(KilnConnectionError) as failure:
        clients.of(unreachable.files.get("file_1"))
    assert (failure.value.code, failure.value.retryable) == ("CONNECTION", True)


def test_a_response_can_be_bytes(server: ScriptedServer, clients: Clients) -> None:
    server.script(answer(200, b"\x89PNG", {"content-type": "image/png"}))
    assert clients.of(clients.kiln().files.get_page_image("file_1", 2, width=600)) == b"\x89PNG"
    assert server.received[0].path == "/v1/files/file_1/pages/2.png?width=600"


@pytest.mark.parametrize(
    "options",
    [
        {"api_key": None},
        {"bearer": "b"},
        {"api_key": "with blank"},
        {"base_url": "kiln.example.com"},
        {"base_url": "https://user:word@kiln.example.com"},
        {"base_url": "https://kiln.example.com?a=b"},
        {"timeout_seconds": -1},
        {"max_retries": float("nan")},
    ],
)
def test_options_that_cannot_work_are_refused(clients: Clients, options: Dict[str, Any]) -> None:
    with pytest.raises(ValueError) as failure:
        clients.kiln(**options)
    assert "word" not in str(failure.value)
