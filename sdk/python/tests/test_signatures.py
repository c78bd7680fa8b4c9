from __future__ import annotations

import inspect
from typing import Any, Dict, Iterator, Tuple

from kiln import AsyncKiln, Kiln

OPTIONS: Dict[str, Any] = {"base_url": "http://127.0.0.1:1", "api_key": "a"}


def _methods(client: object) -> Iterator[Tuple[str, Any]]:
    for resource, value in vars(client).items():
        if not resource.startswith("_"):
            for name, method in inspect.getmembers(value, callable):
                if not name.startswith("_"):
                    yield f"{resource}.{name}", method


def _signatures(client: object) -> Dict[str, str]:
    """The parameters, and the result without what differs by its nature."""
    found = {}
    for name, method in _methods(client):
        signature = inspect.signature(method)
        result = str(signature.return_annotation).replace("Async", "")
        found[name] = f"{signature.replace(return_annotation=inspect.Signature.empty)} -> {result}"
    return found


def test_both_clients_have_the_same_methods() -> None:
    sync, parallel = _signatures(Kiln(**OPTIONS)), _signatures(AsyncKiln(**OPTIONS))
    assert len(sync) > 80
    assert sync == parallel


def test_all_that_follows_ids_is_given_by_keyword() -> None:
    for name, method in _methods(Kiln(**OPTIONS)):
        positional = [
            parameter.name
            for parameter in inspect.signature(method).parameters.values()
            if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and parameter.default is not parameter.empty
        ]
        assert positional == [], name


def test_each_method_has_a_docstring() -> None:
    assert [name for name, method in _methods(Kiln(**OPTIONS)) if not method.__doc__] == []


def test_neither_client_shows_its_secret() -> None:
    for client in (
        Kiln(base_url="http://a", api_key="kiln_s3cret"),
        AsyncKiln(base_url="http://a", api_key="kiln_s3cret"),
    ):
        assert "s3cret" not in repr(client) + repr(client._core) + repr(client._core._credentials)
