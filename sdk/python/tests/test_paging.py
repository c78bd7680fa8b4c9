from __future__ import annotations

import asyncio

import pytest

from kiln import AsyncKiln

from .conftest import Clients
from .scripted_server import Behaviour, ScriptedServer, answer, unavailable


def page(cursor: object, *ids: str) -> Behaviour:
    return answer(200, {"jobs": [{"id": id} for id in ids], "next_cursor": cursor})


def test_a_loop_reads_all_pages_also_after_an_empty_one(server: ScriptedServer, clients: Clients) -> None:
    server.script(page("a", "job_1", "job_2"), page("b"), unavailable, page(None, "job_3"))
    jobs = clients.all(clients.kiln().jobs.list(limit=2))
    assert [job.id for job in jobs] == ["job_1", "job_2", "job_3"]
    assert [received.path for received in server.received] == [
        "/v1/jobs?limit=2",
        "/v1/jobs?limit=2&cursor=a",
        "/v1/jobs?limit=2&cursor=b",
        "/v1/jobs?limit=2&cursor=b",
    ]


def test_pages_and_the_first_page_can_be_read(server: ScriptedServer, clients: Clients) -> None:
    server.script(page("a", "job_1"), page("a", "job_1"), page(None, "job_2"))
    jobs = clients.kiln().jobs.list()
    assert clients.of(jobs.first_page()).next_cursor == "a"
    assert [len(one.jobs) for one in clients.all(jobs.pages())] == [1, 1]


def test_an_awaited_list_is_its_first_page(server: ScriptedServer) -> None:
    server.script(page("a", "job_1"))

    async def first() -> str:
        async with AsyncKiln(base_url=server.url, api_key="a") as kiln:
            return (await kiln.jobs.list()).jobs[0].id

    assert asyncio.run(first()) == "job_1"


def test_all_stops_at_its_limit_and_needs_one(server: ScriptedServer, clients: Clients) -> None:
    server.script(page("a", "job_1", "job_2"), page("b", "job_3", "job_4"), page(None, "job_5"))
    jobs = clients.kiln().jobs.list()
    assert [job.id for job in clients.of(jobs.all(limit=3))] == ["job_1", "job_2", "job_3"]
    assert len(server.received) == 2
    with pytest.raises(TypeError):
        jobs.all()
    with pytest.raises(ValueError, match="limit"):
        clients.of(jobs.all(limit=0))


def test_a_cursor_that_repeats_ends_the_loop(server: ScriptedServer, clients: Clients) -> None:
    server.script(page("a"))
    with pytest.raises(RuntimeError, match="same cursor twice"):
        clients.all(clients.kiln().jobs.list())
