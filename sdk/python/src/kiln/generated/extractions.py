# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import Optional, Sequence, Union

from ..core.options import RequestOptions
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import ReceiveExtractionResultResponse
from .params import ReceiveExtractionResultRequestError, ReceiveExtractionResultRequestPage


class Extractions(Resource):
    def send_result(
        self,
        token: str,
        *,
        markdown: Optional[str] = None,
        pages: Optional[Sequence[ReceiveExtractionResultRequestPage]] = None,
        title: Union[Optional[str], Omitted] = OMITTED,
        author: Union[Optional[str], Omitted] = OMITTED,
        language: Union[Optional[str], Omitted] = OMITTED,
        error: Optional[ReceiveExtractionResultRequestError] = None,
        options: Optional[RequestOptions] = None,
    ) -> ReceiveExtractionResultResponse:
        """Send the result of your own extractor.

        The `callback_url` of an extraction request points here. Sign the body with the secret of your extractor, as in Standard Webhooks, under the id of the request. The request may be repeated: `accepted` is false if there was a different result before. Returns 401 if the signature is wrong, 403 if the URL is, and 404 if no job waits for the result.

        `POST /v1/extractions/{token}`
        """
        request = Request(
            "POST",
            "/v1/extractions/{token}",
            parameters=(token,),
            body=body_of({
                "markdown": markdown,
                "pages": pages,
                "title": title,
                "author": author,
                "language": language,
                "error": error,
            }, nulls=["title", "author", "language"]),
        )
        return run(self._core.json(request, ReceiveExtractionResultResponse.from_json, options))


class AsyncExtractions(AsyncResource):
    async def send_result(
        self,
        token: str,
        *,
        markdown: Optional[str] = None,
        pages: Optional[Sequence[ReceiveExtractionResultRequestPage]] = None,
        title: Union[Optional[str], Omitted] = OMITTED,
        author: Union[Optional[str], Omitted] = OMITTED,
        language: Union[Optional[str], Omitted] = OMITTED,
        error: Optional[ReceiveExtractionResultRequestError] = None,
        options: Optional[RequestOptions] = None,
    ) -> ReceiveExtractionResultResponse:
        """Send the result of your own extractor.

        The `callback_url` of an extraction request points here. Sign the body with the secret of your extractor, as in Standard Webhooks, under the id of the request. The request may be repeated: `accepted` is false if there was a different result before. Returns 401 if the signature is wrong, 403 if the URL is, and 404 if no job waits for the result.

        `POST /v1/extractions/{token}`
        """
        request = Request(
            "POST",
            "/v1/extractions/{token}",
            parameters=(token,),
            body=body_of({
                "markdown": markdown,
                "pages": pages,
                "title": title,
                "author": author,
                "language": language,
                "error": error,
            }, nulls=["title", "author", "language"]),
        )
        return await self._core.json(request, ReceiveExtractionResultResponse.from_json, options)
