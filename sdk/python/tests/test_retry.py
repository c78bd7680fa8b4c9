from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Dict

import pytest

from kiln.core import retry
from kiln.core.retry import Answered, Attempted, NoResponse, Outcome, retry_after_seconds_of, retry_delay_seconds

VECTORS = json.loads((Path(__file__).parents[3] / "packages/sdk/retry-vectors.json").read_text())
NOW = datetime.fromisoformat(VECTORS["now"].replace("Z", "+00:00")).timestamp()


def test_the_table_is_the_shared_one() -> None:
    assert VECTORS["policy"] == {
        "statuses": sorted(retry.STATUSES),
        "statusMin": retry.STATUS_MIN,
        "refusedStatuses": sorted(retry.REFUSED_STATUSES),
        "maxRetries": retry.MAX_RETRIES,
        "delayMs": retry.DELAY_SECONDS * 1_000,
        "delayFactor": retry.DELAY_FACTOR,
        "delayMsMax": retry.DELAY_SECONDS_MAX * 1_000,
        "jitterMin": retry.JITTER_MIN,
        "retryAfterSecondsMax": retry.RETRY_AFTER_SECONDS_MAX,
    }


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: str(case["name"]))
def test_the_shared_case(case: Dict[str, Any]) -> None:
    attempted = Attempted(
        retries_done=case["retriesDone"],
        max_retries=case["maxRetries"],
        is_repeatable=case["isRepeatable"],
        remaining_seconds=case["remainingMs"] / 1_000,
        random=case["random"],
    )
    delay = retry_delay_seconds(_outcome(case["outcome"]), attempted)
    assert (None if delay is None else round(delay * 1_000)) == case["expectedDelayMs"]


def _outcome(outcome: Dict[str, Any]) -> Outcome:
    if outcome["kind"] != "response":
        return NoResponse(outcome["kind"])
    return Answered(outcome["status"], retry_after_seconds_of(outcome["retryAfter"], NOW))


@pytest.mark.parametrize("header", ["-1", "1.5", "", "1" * 400, "Wed, 99 Foo 2025 00:00:00 GMT"])
def test_a_header_that_cannot_be_read_does_not_count(header: str) -> None:
    assert retry_after_seconds_of(header) is None
