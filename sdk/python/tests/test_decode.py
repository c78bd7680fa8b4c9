from __future__ import annotations

from typing import Any, Dict

import pytest

from kiln import KilnError, UnknownModel
from kiln.events.streamed_event import streamed_event_from_json
from kiln.models import (
    AnswerEventChunk,
    FileCreatedEvent,
    JobDetail,
    JobError,
    SignedUpload,
    TimelineEntry,
    UploadResponseWithSha256,
    upload_response_from_json,
)

JOB: Dict[str, Any] = {
    "id": "job_1",
    "status": "failed",
    "error": {"code": "ENGINE", "message": "m", "retryable": True},
    "timeline": [{"attempt": 1, "error": None}],
}


def test_nested_objects_become_dataclasses() -> None:
    job = JobDetail.from_json(JOB)
    assert isinstance(job.error, JobError)
    assert isinstance(job.timeline[0], TimelineEntry)
    assert (job.error.code, job.timeline[0].error) == ("ENGINE", None)


def test_unknown_fields_and_values_are_tolerated_and_missing_fields_are_none() -> None:
    job = JobDetail.from_json({**JOB, "status": "paused", "new_field": 1})
    assert (job.status, job.batch_id) == ("paused", None)
    assert job.to_dict()["new_field"] == 1


def test_values_of_another_kind_are_kept() -> None:
    job: Any = JobDetail.from_json({"error": "text", "timeline": {"a": 1}})
    assert (job.error, job.timeline) == ("text", {"a": 1})


def test_a_response_that_is_no_object_is_an_error() -> None:
    with pytest.raises(KilnError, match="not an object"):
        JobDetail.from_json([])


def test_a_choice_is_told_apart_by_its_constant_or_by_its_fields() -> None:
    common = dict.fromkeys(("id", "space", "filename", "content_type", "size_bytes", "storage_key"), "x")
    file = {**common, "status": "uploading", "job_id": None, "external_id": None}
    signed: Dict[str, Any] = {**file, "upload_url": "u", "upload_method": "PUT", "upload_headers": {}, "expires_in": 1}
    assert isinstance(upload_response_from_json(signed), SignedUpload)
    assert isinstance(upload_response_from_json({**file, "sha256": "x"}), UploadResponseWithSha256)
    event = {"id": "evt_1", "type": "file.created", "created_at": "c", "org_id": "o", "data": {}}
    assert isinstance(streamed_event_from_json(event), FileCreatedEvent)


def test_an_event_of_an_unknown_kind_has_its_fields() -> None:
    event: Any = streamed_event_from_json({"id": "evt_1", "type": "file.renamed", "data": {"name": "n"}})
    assert isinstance(event, UnknownModel)
    assert (event.type, event.data) == ("file.renamed", {"name": "n"})
    assert not hasattr(event, "absent")


def test_a_dataclass_can_be_made_by_hand() -> None:
    chunk = AnswerEventChunk(type="chunk", content="a")
    assert chunk == AnswerEventChunk.from_json({"type": "chunk", "content": "a"})
    assert chunk.to_dict() == {}
