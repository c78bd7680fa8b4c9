"""Uploads the files of a folder and of the folders in it, in batches."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Tuple, Union

from ..core.errors import KilnError
from ..core.options import RequestOptions
from ..core.transport import Core
from ..generated.params import UploadFields
from .stored_file import StoredFile
from .upload_batch import UNREADABLE, BatchEntry, BatchFile, UploadFailure, upload_batch

#: The API takes this many files in one batch.
_BATCH_FILES_MAX = 50

Folder = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class FolderProgress:
    files: int
    total_files: int


@dataclass(frozen=True)
class FolderFile:
    """Either `file` or `error` is not None."""

    #: Relative to the folder, with `/` between its parts.
    path: str
    file: Optional[StoredFile] = None
    error: Optional[UploadFailure] = None


@dataclass(frozen=True)
class FolderUpload:
    #: To wait for them: `kiln.batches.wait_for(id)`.
    batch_ids: List[str]
    files: List[FolderFile]


@dataclass(frozen=True)
class FolderChoice:
    filter: Optional[Callable[[str], bool]]
    fields: Optional[Callable[[str], UploadFields]]
    on_progress: Optional[Callable[[FolderProgress], None]]


async def upload_folder(
    core: Core, folder: Folder, choice: FolderChoice, options: Optional[RequestOptions]
) -> FolderUpload:
    paths = [path for path in _paths_in(Path(folder), "") if choice.filter is None or choice.filter(path)]
    batch_ids: List[str] = []
    files: List[FolderFile] = []
    for at in range(0, len(paths), _BATCH_FILES_MAX):
        some = paths[at : at + _BATCH_FILES_MAX]
        readable = [path for path in some if os.access(Path(folder, path), os.R_OK)]
        batch_id, uploaded = await _upload_or_errors(core, [_entry(folder, path, choice) for path in readable], options)
        if batch_id is not None:
            batch_ids.append(batch_id)
        results = dict(zip(readable, uploaded))
        for path in some:
            result = results.get(path, UNREADABLE)
            files.append(FolderFile(path, result.file, result.error))
        if choice.on_progress is not None:
            choice.on_progress(FolderProgress(len(files), len(paths)))
    return FolderUpload(batch_ids, files)


def _entry(folder: Folder, path: str, choice: FolderChoice) -> BatchEntry:
    """The metadata is `{path}` by default, because a file name has no folders."""
    entry: BatchEntry = {"metadata": {"path": path}, "source": Path(folder, path)}
    if choice.fields is not None:
        entry.update(choice.fields(path))  # type: ignore[typeddict-item]
    return entry


async def _upload_or_errors(
    core: Core, entries: List[BatchEntry], options: Optional[RequestOptions]
) -> Tuple[Optional[str], List[BatchFile]]:
    """If the batch as a whole fails, each of its files has the error."""
    if not entries:
        return None, []
    try:
        upload = await upload_batch(core, entries, options, None)
        return upload.batch_id, upload.files
    except KilnError as error:
        return None, [BatchFile(error=UploadFailure(error.code, error.message)) for _ in entries]


def _paths_in(folder: Path, prefix: str) -> Iterator[str]:
    """In a fixed order. Symbolic links are not followed."""
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _paths_in(Path(entry.path), f"{prefix}{entry.name}/")
        elif entry.is_file(follow_symlinks=False):
            yield f"{prefix}{entry.name}"
