"""Makes the generated dataclasses from JSON.

Nothing is rejected: a later version of Kiln has fields, values and kinds of events that this version does not know. An unknown field is
in `to_dict()` only, a missing one is None, and an object of an unknown kind is an `UnknownModel`.
"""

from __future__ import annotations

import functools
from dataclasses import MISSING, fields, is_dataclass
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Literal,
    Mapping,
    Tuple,
    Type,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from .errors import KilnError

M = TypeVar("M", bound="Model")
Decoder = Callable[[Any], Any]


class Model:
    """The base of what responses contain."""

    _json: Mapping[str, object]

    @classmethod
    def from_json(cls: Type[M], value: object) -> M:
        """Raises KilnError with the code INVALID_RESPONSE unless it is an object."""
        if not isinstance(value, dict):
            raise KilnError("INVALID_RESPONSE", "The response is not an object.", retryable=False)
        model: M = decode(cls, value)
        return model

    def to_dict(self) -> Dict[str, object]:
        """The JSON of a response, with the fields that this version does not know. Empty if the object was not read from a response."""
        return dict(self.__dict__.get("_json", {}))


class UnknownModel(Model):
    """An object of a kind that this version does not know. Its fields are attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_json"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self) -> str:
        return f"UnknownModel({self.to_dict()!r})"


def decode(hint: Any, value: object) -> Any:
    """`hint` is a type of `generated/models.py`."""
    return _decoder_of(hint)(value)


@functools.cache
def _decoder_of(hint: Any) -> Decoder:
    if is_dataclass(hint):
        return functools.partial(_decode_model, hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        one = _decoder_of(arguments[0])
        return lambda value: [one(item) for item in value] if isinstance(value, list) else value
    if origin is dict:
        inner = _decoder_of(arguments[1])
        return lambda value: {key: inner(item) for key, item in value.items()} if isinstance(value, dict) else value
    if origin is Union:
        return _union_decoder(arguments)
    return lambda value: value


def _union_decoder(members: Tuple[Any, ...]) -> Decoder:
    models = [member for member in members if is_dataclass(member)]
    lists = [member for member in members if get_origin(member) is list]
    maps = [member for member in members if get_origin(member) is dict]

    def decode_member(value: Any) -> Any:
        if isinstance(value, list) and lists:
            return _decoder_of(lists[0])(value)
        if not isinstance(value, dict):
            return value
        found = [model for model in models if _fits(model, value)] if len(models) > 1 else models
        if found:
            # The one that knows most of the fields.
            return _decode_model(max(found, key=lambda model: _known(model, value)), value)
        if maps:
            return _decoder_of(maps[0])(value)
        return _with_json(UnknownModel(), value) if models else value

    return decode_member


def _fits(model: Any, value: Mapping[str, object]) -> bool:
    """Whether the value has the constants and the fields that the class requires."""
    return all(
        name in value and (get_origin(hint) is not Literal or len(get_args(hint)) > 1 or value[name] in get_args(hint))
        for name, _, hint, is_required in _fields_of(model)
        if is_required
    )


def _known(model: Any, value: Mapping[str, object]) -> int:
    return sum(name in value for name, *_ in _fields_of(model))


def _decode_model(model: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    decoded = model.__new__(model)
    for name, attribute, hint, _ in _fields_of(model):
        setattr(decoded, attribute, _decoder_of(hint)(value[name]) if name in value else None)
    return _with_json(decoded, value)


def _with_json(model: Model, value: Mapping[str, object]) -> Model:
    model._json = value
    return model


@functools.cache
def _fields_of(model: Any) -> List[Tuple[str, str, Any, bool]]:
    """The name in JSON, the attribute, the type, and whether the field is required."""
    hints = get_type_hints(model)
    return [
        (one.metadata.get("json", one.name), one.name, hints[one.name], one.default is MISSING) for one in fields(model)
    ]
