from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Dict

import pytest

from kiln import NotFoundError, UnknownModel
from kiln.models import WebhookTestEvent
from kiln.testing import FakeServer, problem, signed_webhook
from kiln.webhooks import WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
EVENT: Dict[str, Any] = {
    "id": "evt_1",
    "type": "webhook.test",
    "created_at": "2026-11-21 09:30:00",
    "org_id": "org_1",
    "data": {"webhook_id": "wh_1"},
}


@pytest.mark.parametrize("secret", [SECRET, [OTHER, SECRET]])
def test_a_signed_request_is_its_event(secret: Any) -> None:
    request = signed_webhook(EVENT, SECRET)
    headers = {name.title(): value for name, value in request.headers.items()}
    event = verify_webhook(body=request.body.encode(), headers=headers, secret=secret)
    assert isinstance(event, WebhookTestEvent)
    assert event.data.webhook_id == "wh_1"


def test_an_event_of_an_unknown_type_is_verified() -> None:
    request = signed_webhook({**EVENT, "type": "file.renamed"}, SECRET)
    assert isinstance(verify_webhook(body=request.body, headers=request.headers, secret=SECRET), UnknownModel)


@pytest.mark.parametrize("minutes", [-6, 6])
def test_a_request_of_another_time_is_refused(minutes: int) -> None:
    request = signed_webhook(EVENT, SECRET, datetime.now(timezone.utc) + timedelta(minutes=minutes))
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body=request.body, headers=request.headers, secret=SECRET)


@pytest.mark.parametrize("change", [{"webhook-signature": "v1,AAAA"}, {"webhook-signature": "x"}, {"webhook-id": "y"}])
def test_a_request_with_a_wrong_signature_is_refused(change: Dict[str, str]) -> None:
    request = signed_webhook(EVENT, SECRET)
    for secret, headers in ((SECRET, {**request.headers, **change}), (OTHER, request.headers), (SECRET, {})):
        with pytest.raises(WebhookVerificationError):
            verify_webhook(body=request.body, headers=headers, secret=secret)
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body=b"\xff", headers=request.headers, secret=SECRET)


def test_no_secret_is_an_error() -> None:
    request = signed_webhook(EVENT, SECRET)
    with pytest.raises(ValueError, match="secret"):
        verify_webhook(body=request.body, headers=request.headers, secret=[])


def test_a_fake_server_answers_with_functions() -> None:
    server = FakeServer(
        {"GET /v1/files/:id": lambda request: {"id": "file_1"}, "POST /v1/search": lambda _: problem(400, "BAD")}
    )
    kiln = server.kiln()
    assert kiln.files.get("file_1").id == "file_1"
    with pytest.raises(NotFoundError, match="no handler for GET /v1/jobs/job_1"):
        kiln.jobs.get("job_1")
    assert [request.path for request in server.requests] == ["/v1/files/file_1", "/v1/jobs/job_1"]
