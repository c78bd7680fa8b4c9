"""`kiln.variants`."""

from __future__ import annotations

from typing import Literal, Optional

from ..core.attempts import run_attempts
from ..core.io import Attempt, Sending
from ..core.options import RequestOptions
from ..core.response import fetch, read_all
from ..core.run import run
from ..generated.variants import AsyncVariants as GeneratedAsyncVariants
from ..generated.variants import Variants as GeneratedVariants

VariantType = Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]
_WHAT = "GET the content of a variant"


class Variants(GeneratedVariants):
    def read(self, file_id: str, type: VariantType, *, options: Optional[RequestOptions] = None) -> str:
        """The whole text of a variant, of any size: `kiln.variants.read(file.id, "markdown")`."""
        return run(AsyncVariants(self._core).read(file_id, type, options=options))


class AsyncVariants(GeneratedAsyncVariants):
    async def read(self, file_id: str, type: VariantType, *, options: Optional[RequestOptions] = None) -> str:
        """See `Variants.read`."""
        variant = await self.get(file_id, type, options=options)
        if variant.content is not None:
            return variant.content
        sending = Sending("GET", variant.content_url, {}, follows_redirects=True)

        async def attempt(timed: Attempt) -> str:
            reply = await fetch(self._core.io, _WHAT, sending, timed, lambda _: "The content was refused.")
            return (await read_all(_WHAT, reply, timed)).decode()

        return await run_attempts(self._core.io, _WHAT, self._core.limits_of(options), True, attempt)
