# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, Union

from ..core.options import RequestOptions
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    GetBrandingResponse,
    GetCapabilitiesResponse,
    GetPortalSettingsResponse,
    GetRoutingRulesResponse,
    GetSettingsResponse,
    GetUsageResponse,
    Me,
)
from .params import SetRoutingRulesRequestRule, UpdateSettingsRequestDefaultChunking


class Organization(Resource):
    def get_me(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Me:
        """Get the current identity.

        `GET /v1/me`
        """
        request = Request("GET", "/v1/me")
        return run(self._core.json(request, Me.from_json, options))

    def get_capabilities(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetCapabilitiesResponse:
        """Get what this installation can do.

        Which engines and models are set up, by the operator or with a key of the organization. A key for test data uses local engines only.

        `GET /v1/capabilities`
        """
        request = Request("GET", "/v1/capabilities")
        return run(self._core.json(request, GetCapabilitiesResponse.from_json, options))

    def get_settings(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSettingsResponse:
        """Get the settings of the organization.

        Needs the scope `org:read`.

        `GET /v1/org/settings`
        """
        request = Request("GET", "/v1/org/settings")
        return run(self._core.json(request, GetSettingsResponse.from_json, options))

    def update_settings(
        self,
        *,
        default_embedding_model: Optional[str] = None,
        default_chunking: Optional[UpdateSettingsRequestDefaultChunking] = None,
        default_variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        search_language: Optional[Literal["danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "none", "auto"]] = None,
        answer_instructions: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> GetSettingsResponse:
        """Update the settings of the organization.

        Omitted fields keep their values. `default_chunking` is replaced as a whole; its omitted fields get their standard values. Existing jobs keep the defaults they were created with. `search_language` applies to files that are indexed from now on, and `answer_instructions` to answers after ten seconds.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/settings`
        """
        request = Request(
            "PUT",
            "/v1/org/settings",
            body=body_of({
                "default_embedding_model": default_embedding_model,
                "default_chunking": default_chunking,
                "default_variants": default_variants,
                "search_language": search_language,
                "answer_instructions": answer_instructions,
            }, nulls=["answer_instructions"]),
        )
        return run(self._core.json(request, GetSettingsResponse.from_json, options))

    def get_routing_rules(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetRoutingRulesResponse:
        """List routing rules.

        Needs the scope `org:read`.

        `GET /v1/org/routing-rules`
        """
        request = Request("GET", "/v1/org/routing-rules")
        return run(self._core.json(request, GetRoutingRulesResponse.from_json, options))

    def set_routing_rules(
        self,
        *,
        rules: Sequence[SetRoutingRulesRequestRule],
        options: Optional[RequestOptions] = None,
    ) -> GetRoutingRulesResponse:
        """Replace all routing rules.

        A rule overrides the default provider of a content type. The `provider` of a request overrides the rule. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/routing-rules`
        """
        request = Request("PUT", "/v1/org/routing-rules", body=body_of({"rules": rules}))
        return run(self._core.json(request, GetRoutingRulesResponse.from_json, options))

    def get_branding(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetBrandingResponse:
        """Get the branding of the portal.

        Needs the scope `org:read`.

        `GET /v1/org/branding`
        """
        request = Request("GET", "/v1/org/branding")
        return run(self._core.json(request, GetBrandingResponse.from_json, options))

    def update_branding(
        self,
        *,
        name: Union[Optional[str], Omitted] = OMITTED,
        color: Union[Optional[str], Omitted] = OMITTED,
        logo: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> GetBrandingResponse:
        """Update the branding of the portal.

        Omitted fields keep their values, and null removes a value.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/branding`
        """
        request = Request(
            "PUT",
            "/v1/org/branding",
            body=body_of({"name": name, "color": color, "logo": logo}, nulls=["name", "color", "logo"]),
        )
        return run(self._core.json(request, GetBrandingResponse.from_json, options))

    def get_portal_settings(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetPortalSettingsResponse:
        """Get the settings of the portal.

        Needs the scope `org:read`.

        `GET /v1/org/portal`
        """
        request = Request("GET", "/v1/org/portal")
        return run(self._core.json(request, GetPortalSettingsResponse.from_json, options))

    def update_portal_settings(
        self,
        *,
        frame_ancestors: Optional[Sequence[str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetPortalSettingsResponse:
        """Update the settings of the portal.

        Omitted fields keep their values, and a list replaces the former one. A change applies after five seconds at the latest.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/portal`
        """
        request = Request("PUT", "/v1/org/portal", body=body_of({"frame_ancestors": frame_ancestors}))
        return run(self._core.json(request, GetPortalSettingsResponse.from_json, options))

    def get_usage(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetUsageResponse:
        """Get the page usage of the month.

        A page is a page of a PDF or DOCX file, a slide of a PPTX file, an image, a started minute of audio, or a started block of 3,000 characters of any other document. Pages count when a job completes, each time a file is processed. Test mode does not count.

        Needs the scope `org:read`.

        `GET /v1/org/usage`
        """
        request = Request("GET", "/v1/org/usage")
        return run(self._core.json(request, GetUsageResponse.from_json, options))


class AsyncOrganization(AsyncResource):
    async def get_me(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Me:
        """Get the current identity.

        `GET /v1/me`
        """
        request = Request("GET", "/v1/me")
        return await self._core.json(request, Me.from_json, options)

    async def get_capabilities(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetCapabilitiesResponse:
        """Get what this installation can do.

        Which engines and models are set up, by the operator or with a key of the organization. A key for test data uses local engines only.

        `GET /v1/capabilities`
        """
        request = Request("GET", "/v1/capabilities")
        return await self._core.json(request, GetCapabilitiesResponse.from_json, options)

    async def get_settings(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSettingsResponse:
        """Get the settings of the organization.

        Needs the scope `org:read`.

        `GET /v1/org/settings`
        """
        request = Request("GET", "/v1/org/settings")
        return await self._core.json(request, GetSettingsResponse.from_json, options)

    async def update_settings(
        self,
        *,
        default_embedding_model: Optional[str] = None,
        default_chunking: Optional[UpdateSettingsRequestDefaultChunking] = None,
        default_variants: Optional[Sequence[Literal["markdown", "embeddings", "metadata", "searchable-index", "thumbnails", "layout"]]] = None,
        search_language: Optional[Literal["danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "none", "auto"]] = None,
        answer_instructions: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> GetSettingsResponse:
        """Update the settings of the organization.

        Omitted fields keep their values. `default_chunking` is replaced as a whole; its omitted fields get their standard values. Existing jobs keep the defaults they were created with. `search_language` applies to files that are indexed from now on, and `answer_instructions` to answers after ten seconds.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/settings`
        """
        request = Request(
            "PUT",
            "/v1/org/settings",
            body=body_of({
                "default_embedding_model": default_embedding_model,
                "default_chunking": default_chunking,
                "default_variants": default_variants,
                "search_language": search_language,
                "answer_instructions": answer_instructions,
            }, nulls=["answer_instructions"]),
        )
        return await self._core.json(request, GetSettingsResponse.from_json, options)

    async def get_routing_rules(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetRoutingRulesResponse:
        """List routing rules.

        Needs the scope `org:read`.

        `GET /v1/org/routing-rules`
        """
        request = Request("GET", "/v1/org/routing-rules")
        return await self._core.json(request, GetRoutingRulesResponse.from_json, options)

    async def set_routing_rules(
        self,
        *,
        rules: Sequence[SetRoutingRulesRequestRule],
        options: Optional[RequestOptions] = None,
    ) -> GetRoutingRulesResponse:
        """Replace all routing rules.

        A rule overrides the default provider of a content type. The `provider` of a request overrides the rule. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/routing-rules`
        """
        request = Request("PUT", "/v1/org/routing-rules", body=body_of({"rules": rules}))
        return await self._core.json(request, GetRoutingRulesResponse.from_json, options)

    async def get_branding(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetBrandingResponse:
        """Get the branding of the portal.

        Needs the scope `org:read`.

        `GET /v1/org/branding`
        """
        request = Request("GET", "/v1/org/branding")
        return await self._core.json(request, GetBrandingResponse.from_json, options)

    async def update_branding(
        self,
        *,
        name: Union[Optional[str], Omitted] = OMITTED,
        color: Union[Optional[str], Omitted] = OMITTED,
        logo: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> GetBrandingResponse:
        """Update the branding of the portal.

        Omitted fields keep their values, and null removes a value.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/branding`
        """
        request = Request(
            "PUT",
            "/v1/org/branding",
            body=body_of({"name": name, "color": color, "logo": logo}, nulls=["name", "color", "logo"]),
        )
        return await self._core.json(request, GetBrandingResponse.from_json, options)

    async def get_portal_settings(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetPortalSettingsResponse:
        """Get the settings of the portal.

        Needs the scope `org:read`.

        `GET /v1/org/portal`
        """
        request = Request("GET", "/v1/org/portal")
        return await self._core.json(request, GetPortalSettingsResponse.from_json, options)

    async def update_portal_settings(
        self,
        *,
        frame_ancestors: Optional[Sequence[str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> GetPortalSettingsResponse:
        """Update the settings of the portal.

        Omitted fields keep their values, and a list replaces the former one. A change applies after five seconds at the latest.

        Needs the scope `org:write`.

        Test keys are refused (403), because live data uses this.

        `PUT /v1/org/portal`
        """
        request = Request("PUT", "/v1/org/portal", body=body_of({"frame_ancestors": frame_ancestors}))
        return await self._core.json(request, GetPortalSettingsResponse.from_json, options)

    async def get_usage(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetUsageResponse:
        """Get the page usage of the month.

        A page is a page of a PDF or DOCX file, a slide of a PPTX file, an image, a started minute of audio, or a started block of 3,000 characters of any other document. Pages count when a job completes, each time a file is processed. Test mode does not count.

        Needs the scope `org:read`.

        `GET /v1/org/usage`
        """
        request = Request("GET", "/v1/org/usage")
        return await self._core.json(request, GetUsageResponse.from_json, options)
