"""The programs of the guide, in their order and with the same variables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest

from ..conftest import Clients
from .conftest import API_KEY, URL

GUIDE = Path(__file__).parents[2] / "README.md"
TEXT = "# Zephyr\n\nThe warranty of the Zephyr turbine is ten years.\n"
# Found by no search of the guide, however many of them are uploaded.
NEXT_TEXT = "# Next\n\nThis file came later.\n"


def test_the_programs_of_the_guide_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "contracts").mkdir()
    for name in ("contract.md", "contracts/zephyr.md"):
        (tmp_path / name).write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    system = Clients("sync", URL or "", API_KEY)
    # The program that follows the events ends with the next file.
    with system.repeating(lambda kiln: kiln.files.upload(NEXT_TEXT.encode(), filename="next.md", space="contracts")):
        variables: Dict[str, Any] = {}
        for at, program in enumerate(re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)):
            exec(compile(program, f"program {at + 1} of {GUIDE.name}", "exec"), variables)
    variables["kiln"].close()
    system.close()
    printed = capsys.readouterr().out
    for expected in (
        "The warranty of the Zephyr turbine is ten years. [1]",
        "NOT_FOUND: ",
        "next.md is processed",
        "zephyr.md ['Zephyr'] ",
    ):
        assert expected in printed
