from __future__ import annotations

import os
import uuid
from typing import Iterator

import pytest

from ..conftest import Clients

URL = os.environ.get("KILN_URL")
API_KEY = os.environ.get("KILN_API_KEY", "")


@pytest.fixture(autouse=True)
def _needs_a_system() -> None:
    if URL is None:
        pytest.skip("KILN_URL and KILN_API_KEY name no system")


@pytest.fixture(params=["sync", "async"])
def system(request: pytest.FixtureRequest) -> Iterator[Clients]:
    """Clients of the system that KILN_URL names."""
    made = Clients(request.param, URL or "http://127.0.0.1:1", API_KEY)
    yield made
    made.close()


@pytest.fixture
def space() -> str:
    return f"python-{uuid.uuid4()}"
