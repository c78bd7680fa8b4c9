"""The base of the classes that have the methods of a resource."""

from __future__ import annotations

from .transport import Core


class Resource:
    def __init__(self, core: Core) -> None:
        self._core = core


class AsyncResource:
    def __init__(self, core: Core) -> None:
        self._core = core
