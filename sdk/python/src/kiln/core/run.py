"""Runs the code of the SDK without an event loop.

All of it is written once, with `async`. It waits only in an `Io`. That of the synchronous client blocks instead of waiting, so that a
coroutine of it ends with its first step.
"""

from __future__ import annotations

from typing import Any, AsyncGenerator, Coroutine, Generator, TypeVar

Value = TypeVar("Value")


def run(work: Coroutine[Any, Any, Value]) -> Value:
    try:
        work.send(None)
    except StopIteration as end:
        result: Value = end.value
        return result
    work.close()
    raise RuntimeError("Kiln cannot await: use AsyncKiln.")


def iterate(values: AsyncGenerator[Value, None]) -> Generator[Value, None, None]:
    async def following() -> Value:
        return await values.__anext__()

    try:
        while True:
            try:
                value = run(following())
            except StopAsyncIteration:
                return
            yield value
    finally:
        run(values.aclose())
