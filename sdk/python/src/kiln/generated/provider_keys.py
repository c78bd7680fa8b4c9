# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional, Union

from ..core.options import RequestOptions
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    DeleteProviderKeyResponse,
    ListProviderKeysResponse,
    SetProviderKeyResponse,
    TestProviderKeyResponse,
)


class ProviderKeys(Resource):
    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListProviderKeysResponse:
        """List provider keys.

        Shows only the last four characters of each key.

        Needs the scope `org:read`.

        `GET /v1/org/provider-keys`
        """
        request = Request("GET", "/v1/org/provider-keys")
        return run(self._core.json(request, ListProviderKeysResponse.from_json, options))

    def set(
        self,
        *,
        provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"],
        key: str,
        url: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> SetProviderKeyResponse:
        """Set a provider key.

        Calls to the provider use this key from now on. It replaces an earlier key, is encrypted at rest, and is never returned. Pages processed with it count at 60 %. Test mode does not use it. With a `url`, files are sent to your own extractor there, and the key is the secret that signs the requests.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/provider-keys`
        """
        request = Request(
            "PUT",
            "/v1/org/provider-keys",
            body=body_of({"provider": provider, "key": key, "url": url}, nulls=["url"]),
        )
        return run(self._core.json(request, SetProviderKeyResponse.from_json, options))

    def test(
        self,
        provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> TestProviderKeyResponse:
        """Test a provider key.

        Calls the provider once with the stored key: with a small file for extraction, with a few words for embeddings and chat. Your own extractor gets a signed request whose `callback_url` is null. The provider may charge for the call. `ok` is false, with a reason, if the provider refuses the key or does not answer within 30 seconds.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `POST /v1/org/provider-keys/{provider}/test`
        """
        request = Request(
            "POST",
            "/v1/org/provider-keys/{provider}/test",
            parameters=(provider,),
            is_keyed=True,
        )
        return run(self._core.json(request, TestProviderKeyResponse.from_json, options))

    def delete(
        self,
        provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteProviderKeyResponse:
        """Delete a provider key.

        Attempts that start after this request use the managed key again.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `DELETE /v1/org/provider-keys/{provider}`
        """
        request = Request("DELETE", "/v1/org/provider-keys/{provider}", parameters=(provider,))
        return run(self._core.json(request, DeleteProviderKeyResponse.from_json, options))


class AsyncProviderKeys(AsyncResource):
    async def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListProviderKeysResponse:
        """List provider keys.

        Shows only the last four characters of each key.

        Needs the scope `org:read`.

        `GET /v1/org/provider-keys`
        """
        request = Request("GET", "/v1/org/provider-keys")
        return await self._core.json(request, ListProviderKeysResponse.from_json, options)

    async def set(
        self,
        *,
        provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"],
        key: str,
        url: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> SetProviderKeyResponse:
        """Set a provider key.

        Calls to the provider use this key from now on. It replaces an earlier key, is encrypted at rest, and is never returned. Pages processed with it count at 60 %. Test mode does not use it. With a `url`, files are sent to your own extractor there, and the key is the secret that signs the requests.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/provider-keys`
        """
        request = Request(
            "PUT",
            "/v1/org/provider-keys",
            body=body_of({"provider": provider, "key": key, "url": url}, nulls=["url"]),
        )
        return await self._core.json(request, SetProviderKeyResponse.from_json, options)

    async def test(
        self,
        provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> TestProviderKeyResponse:
        """Test a provider key.

        Calls the provider once with the stored key: with a small file for extraction, with a few words for embeddings and chat. Your own extractor gets a signed request whose `callback_url` is null. The provider may charge for the call. `ok` is false, with a reason, if the provider refuses the key or does not answer within 30 seconds.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `POST /v1/org/provider-keys/{provider}/test`
        """
        request = Request(
            "POST",
            "/v1/org/provider-keys/{provider}/test",
            parameters=(provider,),
            is_keyed=True,
        )
        return await self._core.json(request, TestProviderKeyResponse.from_json, options)

    async def delete(
        self,
        provider: Literal["document_extractor", "image_extractor", "audio_extractor", "embedding", "chat"],
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteProviderKeyResponse:
        """Delete a provider key.

        Attempts that start after this request use the managed key again.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `DELETE /v1/org/provider-keys/{provider}`
        """
        request = Request("DELETE", "/v1/org/provider-keys/{provider}", parameters=(provider,))
        return await self._core.json(request, DeleteProviderKeyResponse.from_json, options)
