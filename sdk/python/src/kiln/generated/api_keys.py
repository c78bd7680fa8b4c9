# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, Union

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    ApiKey,
    CreatedApiKey,
    DeleteApiKeyResponse,
    ExchangeSignInCodeResponse,
    ListApiKeysResponse,
)


class ApiKeys(Resource):
    def create(
        self,
        *,
        name: str,
        scopes: Optional[Sequence[Literal["files:read", "files:write", "jobs:read", "jobs:write", "connections:read", "connections:write", "webhooks:read", "webhooks:write", "search:read", "analytics:read", "org:read", "org:write", "keys:read", "keys:write", "portal:write", "logs:read", "*"]]] = None,
        mode: Optional[Literal["live", "test"]] = None,
        expires_at: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> CreatedApiKey:
        """Create an API key.

        The secret is returned once. A key cannot grant scopes that it does not have or create a key that outlives it, and a test key cannot create a live key. An organization has at most 500 keys that are valid (409).

        Needs the scope `keys:write`.

        `POST /v1/org/api-keys`
        """
        request = Request(
            "POST",
            "/v1/org/api-keys",
            body=body_of({"name": name, "scopes": scopes, "mode": mode, "expires_at": expires_at}, nulls=["expires_at"]),
            is_keyed=True,
        )
        return run(self._core.json(request, CreatedApiKey.from_json, options))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListApiKeysResponse, ApiKey]:
        """List API keys.

        Returns live and test keys, newest first. Revoked keys are not listed.

        Needs the scope `keys:read`.

        `GET /v1/org/api-keys`
        """
        request = Request("GET", "/v1/org/api-keys", query={"limit": limit, "cursor": cursor})
        return PagedList(self._core.pages(request, ListApiKeysResponse.from_json, options), lambda page: page.api_keys)

    def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteApiKeyResponse:
        """Revoke an API key.

        Takes effect immediately and cannot be undone. A key can revoke itself. A test key cannot revoke a live key.

        Needs the scope `keys:write`.

        `DELETE /v1/org/api-keys/{id}`
        """
        request = Request("DELETE", "/v1/org/api-keys/{id}", parameters=(id,))
        return run(self._core.json(request, DeleteApiKeyResponse.from_json, options))

    def exchange_sign_in_code(
        self,
        *,
        code: str,
        options: Optional[RequestOptions] = None,
    ) -> ExchangeSignInCodeResponse:
        """Create an API key from a sign-in code.

        The key has all scopes and is valid for 12 hours. The operator creates the code with `kiln sign-in create`. A code works once, within 10 minutes.

        `POST /v1/sign-in`
        """
        request = Request("POST", "/v1/sign-in", body=body_of({"code": code}))
        return run(self._core.json(request, ExchangeSignInCodeResponse.from_json, options))


class AsyncApiKeys(AsyncResource):
    async def create(
        self,
        *,
        name: str,
        scopes: Optional[Sequence[Literal["files:read", "files:write", "jobs:read", "jobs:write", "connections:read", "connections:write", "webhooks:read", "webhooks:write", "search:read", "analytics:read", "org:read", "org:write", "keys:read", "keys:write", "portal:write", "logs:read", "*"]]] = None,
        mode: Optional[Literal["live", "test"]] = None,
        expires_at: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> CreatedApiKey:
        """Create an API key.

        The secret is returned once. A key cannot grant scopes that it does not have or create a key that outlives it, and a test key cannot create a live key. An organization has at most 500 keys that are valid (409).

        Needs the scope `keys:write`.

        `POST /v1/org/api-keys`
        """
        request = Request(
            "POST",
            "/v1/org/api-keys",
            body=body_of({"name": name, "scopes": scopes, "mode": mode, "expires_at": expires_at}, nulls=["expires_at"]),
            is_keyed=True,
        )
        return await self._core.json(request, CreatedApiKey.from_json, options)

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListApiKeysResponse, ApiKey]:
        """List API keys.

        Returns live and test keys, newest first. Revoked keys are not listed.

        Needs the scope `keys:read`.

        `GET /v1/org/api-keys`
        """
        request = Request("GET", "/v1/org/api-keys", query={"limit": limit, "cursor": cursor})
        return AsyncPagedList(self._core.pages(request, ListApiKeysResponse.from_json, options), lambda page: page.api_keys)

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteApiKeyResponse:
        """Revoke an API key.

        Takes effect immediately and cannot be undone. A key can revoke itself. A test key cannot revoke a live key.

        Needs the scope `keys:write`.

        `DELETE /v1/org/api-keys/{id}`
        """
        request = Request("DELETE", "/v1/org/api-keys/{id}", parameters=(id,))
        return await self._core.json(request, DeleteApiKeyResponse.from_json, options)

    async def exchange_sign_in_code(
        self,
        *,
        code: str,
        options: Optional[RequestOptions] = None,
    ) -> ExchangeSignInCodeResponse:
        """Create an API key from a sign-in code.

        The key has all scopes and is valid for 12 hours. The operator creates the code with `kiln sign-in create`. A code works once, within 10 minutes.

        `POST /v1/sign-in`
        """
        request = Request("POST", "/v1/sign-in", body=body_of({"code": code}))
        return await self._core.json(request, ExchangeSignInCodeResponse.from_json, options)
