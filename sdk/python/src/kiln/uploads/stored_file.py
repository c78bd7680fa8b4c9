"""A file as it was registered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Optional

from ..core.decode import Model


@dataclass
class StoredFile(Model):
    """Its status changes as it is processed: `kiln.files.get(id)`."""

    id: str
    space: str
    filename: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    storage_key: str
    status: Literal["uploading", "uploaded", "processing", "completed", "failed"]
    job_id: Optional[str]
    external_id: Optional[str]


def stored_file_of(registered: Model) -> StoredFile:
    """Leaves out the signed URL, and what belongs to it."""
    known = StoredFile.__dataclass_fields__
    return StoredFile.from_json({name: value for name, value in registered.to_dict().items() if name in known})
