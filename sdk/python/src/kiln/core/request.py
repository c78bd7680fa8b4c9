"""A request of a generated method."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import AsyncIterator, Callable, Dict, Final, Mapping, Optional, Sequence, Tuple, Union


class Omitted:
    """The type of `OMITTED`, which leaves a field out where None means null."""

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Final = Omitted()

#: Is called once for each attempt that reads the bytes.
OpenBytes = Callable[[], AsyncIterator[bytes]]


@dataclass(frozen=True)
class Request:
    method: str
    #: With `{names}` for the parameters.
    path: str
    parameters: Tuple[Union[str, int], ...] = ()
    query: Optional[Mapping[str, object]] = None
    #: Sent as JSON.
    body: Optional[Mapping[str, object]] = None
    #: Whether the server keeps the response for an Idempotency-Key.
    is_keyed: bool = False
    #: Whether the response can take minutes.
    is_slow: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    #: A body that is no JSON, in place of `body`.
    stream: Optional[OpenBytes] = None
    #: Whether the stream can be opened again, for another attempt.
    is_stream_repeatable: bool = False

    @property
    def what(self) -> str:
        """The path as it is documented: a parameter can be a secret."""
        return f"{self.method} {self.path}"


def body_of(fields: Mapping[str, object], nulls: Sequence[str] = ()) -> Dict[str, object]:
    """Leaves out what is omitted. None is null for the fields in `nulls`, and an omission for all others."""
    return {
        name: value for name, value in fields.items() if value is not OMITTED and (value is not None or name in nulls)
    }
