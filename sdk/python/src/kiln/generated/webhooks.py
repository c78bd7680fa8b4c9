# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Mapping, Optional, Sequence, Union

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    CreatedWebhook,
    DeleteWebhookResponse,
    Delivery,
    GetDeliveryResponse,
    GetWebhookEventResponse,
    ListDeliveriesResponse,
    ListWebhookEventTypesResponse,
    ListWebhookEventsResponse,
    ListWebhooksResponse,
    RecoverWebhookResponse,
    ReplayWebhookResponse,
    RotateWebhookSecretResponse,
    Webhook,
    WebhookEvent,
)


class Webhooks(Resource):
    def create(
        self,
        *,
        url: str,
        events: Sequence[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "*"]],
        spaces: Union[Optional[Sequence[str]], Omitted] = OMITTED,
        description: Union[Optional[str], Omitted] = OMITTED,
        headers: Optional[Mapping[str, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> CreatedWebhook:
        """Create a webhook.

        Sends events to a URL. Deliveries are signed according to Standard Webhooks 1.0. The secret is returned once. The URL must use https and resolve to a public address.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks`
        """
        request = Request(
            "POST",
            "/v1/webhooks",
            body=body_of({
                "url": url,
                "events": events,
                "spaces": spaces,
                "description": description,
                "headers": headers,
            }, nulls=["spaces", "description"]),
            is_keyed=True,
        )
        return run(self._core.json(request, CreatedWebhook.from_json, options))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListWebhooksResponse, Webhook]:
        """List webhooks.

        Returns the oldest webhooks first.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks`
        """
        request = Request("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor})
        return PagedList(self._core.pages(request, ListWebhooksResponse.from_json, options), lambda page: page.webhooks)

    def list_event_types(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListWebhookEventTypesResponse:
        """List the types of events.

        Each type has the JSON Schema of the body that is delivered, and an example. All types but `webhook.test` can be subscribed to.

        Needs the scope `webhooks:read`.

        `GET /v1/webhook-event-types`
        """
        request = Request("GET", "/v1/webhook-event-types")
        return run(self._core.json(request, ListWebhookEventTypesResponse.from_json, options))

    def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Get a webhook.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}`
        """
        request = Request("GET", "/v1/webhooks/{id}", parameters=(id,))
        return run(self._core.json(request, Webhook.from_json, options))

    def update(
        self,
        id: str,
        *,
        url: Optional[str] = None,
        events: Optional[Sequence[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "*"]]] = None,
        spaces: Union[Optional[Sequence[str]], Omitted] = OMITTED,
        active: Optional[bool] = None,
        description: Union[Optional[str], Omitted] = OMITTED,
        headers: Optional[Mapping[str, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Update a webhook.

        Omitted fields keep their values. While `active` is false, nothing is sent; events are recorded and can be replayed later.

        Needs the scope `webhooks:write`.

        `PATCH /v1/webhooks/{id}`
        """
        request = Request(
            "PATCH",
            "/v1/webhooks/{id}",
            parameters=(id,),
            body=body_of({
                "url": url,
                "events": events,
                "spaces": spaces,
                "active": active,
                "description": description,
                "headers": headers,
            }, nulls=["spaces", "description"]),
        )
        return run(self._core.json(request, Webhook.from_json, options))

    def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWebhookResponse:
        """Delete a webhook.

        Needs the scope `webhooks:write`.

        `DELETE /v1/webhooks/{id}`
        """
        request = Request("DELETE", "/v1/webhooks/{id}", parameters=(id,))
        return run(self._core.json(request, DeleteWebhookResponse.from_json, options))

    def rotate_secret(
        self,
        id: str,
        *,
        grace_period_seconds: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> RotateWebhookSecretResponse:
        """Rotate the secret of a webhook.

        The new secret is returned once. The old secret expires immediately, or after `grace_period_seconds`; until then deliveries carry both signatures. Up to ten earlier secrets can sign at a time.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/rotate-secret`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/rotate-secret",
            parameters=(id,),
            body=body_of({"grace_period_seconds": grace_period_seconds}),
            is_keyed=True,
        )
        return run(self._core.json(request, RotateWebhookSecretResponse.from_json, options))

    def test(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Send a test event.

        Queues a `webhook.test` event, regardless of the subscribed event types. The delivery shows the result.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/test`
        """
        request = Request("POST", "/v1/webhooks/{id}/test", parameters=(id,), is_keyed=True)
        return run(self._core.json(request, Delivery.from_json, options))

    def replay(
        self,
        id: str,
        *,
        since: str,
        until: Optional[str] = None,
        event_types: Optional[Sequence[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]]] = None,
        options: Optional[RequestOptions] = None,
    ) -> ReplayWebhookResponse:
        """Replay the events of a time window.

        Delivers the events again in the background, with the same event ids. Events are kept for 30 days.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/replay`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/replay",
            parameters=(id,),
            body=body_of({"since": since, "until": until, "event_types": event_types}),
            is_keyed=True,
        )
        return run(self._core.json(request, ReplayWebhookResponse.from_json, options))

    def recover(
        self,
        id: str,
        *,
        since: str,
        until: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> RecoverWebhookResponse:
        """Recover undelivered events.

        Delivers, in the background, the events since the given time whose delivery failed or which occurred while the webhook was inactive.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/recover`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/recover",
            parameters=(id,),
            body=body_of({"since": since, "until": until}),
            is_keyed=True,
        )
        return run(self._core.json(request, RecoverWebhookResponse.from_json, options))

    def resend_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Resend a delivery.

        Creates a new delivery of the same event.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/deliveries/{delivery_id}/resend",
            parameters=(id, delivery_id,),
            is_keyed=True,
        )
        return run(self._core.json(request, Delivery.from_json, options))

    def list_deliveries(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        event_type: Optional[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListDeliveriesResponse, Delivery]:
        """List the deliveries of a webhook.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}/deliveries`
        """
        request = Request(
            "GET",
            "/v1/webhooks/{id}/deliveries",
            parameters=(id,),
            query={
                "status": status,
                "event_type": event_type,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return PagedList(self._core.pages(request, ListDeliveriesResponse.from_json, options), lambda page: page.deliveries)

    def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetDeliveryResponse:
        """Get a delivery with its attempts.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}/deliveries/{delivery_id}`
        """
        request = Request(
            "GET",
            "/v1/webhooks/{id}/deliveries/{delivery_id}",
            parameters=(id, delivery_id,),
        )
        return run(self._core.json(request, GetDeliveryResponse.from_json, options))

    def get_event(
        self,
        id: str,
        event_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetWebhookEventResponse:
        """Get an event of a webhook.

        Returns the event with the body that is sent to the webhook. Events are kept for 30 days.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}/events/{event_id}`
        """
        request = Request("GET", "/v1/webhooks/{id}/events/{event_id}", parameters=(id, event_id,))
        return run(self._core.json(request, GetWebhookEventResponse.from_json, options))

    def list_events(
        self,
        *,
        event_type: Optional[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListWebhookEventsResponse, WebhookEvent]:
        """List webhook events.

        Returns the newest events first, one entry for each subscribed webhook. Events are kept for 30 days.

        Needs the scope `webhooks:read`.

        `GET /v1/webhook-events`
        """
        request = Request(
            "GET",
            "/v1/webhook-events",
            query={"event_type": event_type, "limit": limit, "cursor": cursor},
        )
        return PagedList(self._core.pages(request, ListWebhookEventsResponse.from_json, options), lambda page: page.events)


class AsyncWebhooks(AsyncResource):
    async def create(
        self,
        *,
        url: str,
        events: Sequence[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "*"]],
        spaces: Union[Optional[Sequence[str]], Omitted] = OMITTED,
        description: Union[Optional[str], Omitted] = OMITTED,
        headers: Optional[Mapping[str, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> CreatedWebhook:
        """Create a webhook.

        Sends events to a URL. Deliveries are signed according to Standard Webhooks 1.0. The secret is returned once. The URL must use https and resolve to a public address.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks`
        """
        request = Request(
            "POST",
            "/v1/webhooks",
            body=body_of({
                "url": url,
                "events": events,
                "spaces": spaces,
                "description": description,
                "headers": headers,
            }, nulls=["spaces", "description"]),
            is_keyed=True,
        )
        return await self._core.json(request, CreatedWebhook.from_json, options)

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListWebhooksResponse, Webhook]:
        """List webhooks.

        Returns the oldest webhooks first.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks`
        """
        request = Request("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor})
        return AsyncPagedList(self._core.pages(request, ListWebhooksResponse.from_json, options), lambda page: page.webhooks)

    async def list_event_types(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListWebhookEventTypesResponse:
        """List the types of events.

        Each type has the JSON Schema of the body that is delivered, and an example. All types but `webhook.test` can be subscribed to.

        Needs the scope `webhooks:read`.

        `GET /v1/webhook-event-types`
        """
        request = Request("GET", "/v1/webhook-event-types")
        return await self._core.json(request, ListWebhookEventTypesResponse.from_json, options)

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Get a webhook.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}`
        """
        request = Request("GET", "/v1/webhooks/{id}", parameters=(id,))
        return await self._core.json(request, Webhook.from_json, options)

    async def update(
        self,
        id: str,
        *,
        url: Optional[str] = None,
        events: Optional[Sequence[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "*"]]] = None,
        spaces: Union[Optional[Sequence[str]], Omitted] = OMITTED,
        active: Optional[bool] = None,
        description: Union[Optional[str], Omitted] = OMITTED,
        headers: Optional[Mapping[str, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Update a webhook.

        Omitted fields keep their values. While `active` is false, nothing is sent; events are recorded and can be replayed later.

        Needs the scope `webhooks:write`.

        `PATCH /v1/webhooks/{id}`
        """
        request = Request(
            "PATCH",
            "/v1/webhooks/{id}",
            parameters=(id,),
            body=body_of({
                "url": url,
                "events": events,
                "spaces": spaces,
                "active": active,
                "description": description,
                "headers": headers,
            }, nulls=["spaces", "description"]),
        )
        return await self._core.json(request, Webhook.from_json, options)

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWebhookResponse:
        """Delete a webhook.

        Needs the scope `webhooks:write`.

        `DELETE /v1/webhooks/{id}`
        """
        request = Request("DELETE", "/v1/webhooks/{id}", parameters=(id,))
        return await self._core.json(request, DeleteWebhookResponse.from_json, options)

    async def rotate_secret(
        self,
        id: str,
        *,
        grace_period_seconds: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> RotateWebhookSecretResponse:
        """Rotate the secret of a webhook.

        The new secret is returned once. The old secret expires immediately, or after `grace_period_seconds`; until then deliveries carry both signatures. Up to ten earlier secrets can sign at a time.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/rotate-secret`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/rotate-secret",
            parameters=(id,),
            body=body_of({"grace_period_seconds": grace_period_seconds}),
            is_keyed=True,
        )
        return await self._core.json(request, RotateWebhookSecretResponse.from_json, options)

    async def test(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Send a test event.

        Queues a `webhook.test` event, regardless of the subscribed event types. The delivery shows the result.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/test`
        """
        request = Request("POST", "/v1/webhooks/{id}/test", parameters=(id,), is_keyed=True)
        return await self._core.json(request, Delivery.from_json, options)

    async def replay(
        self,
        id: str,
        *,
        since: str,
        until: Optional[str] = None,
        event_types: Optional[Sequence[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]]] = None,
        options: Optional[RequestOptions] = None,
    ) -> ReplayWebhookResponse:
        """Replay the events of a time window.

        Delivers the events again in the background, with the same event ids. Events are kept for 30 days.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/replay`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/replay",
            parameters=(id,),
            body=body_of({"since": since, "until": until, "event_types": event_types}),
            is_keyed=True,
        )
        return await self._core.json(request, ReplayWebhookResponse.from_json, options)

    async def recover(
        self,
        id: str,
        *,
        since: str,
        until: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> RecoverWebhookResponse:
        """Recover undelivered events.

        Delivers, in the background, the events since the given time whose delivery failed or which occurred while the webhook was inactive.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/recover`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/recover",
            parameters=(id,),
            body=body_of({"since": since, "until": until}),
            is_keyed=True,
        )
        return await self._core.json(request, RecoverWebhookResponse.from_json, options)

    async def resend_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Resend a delivery.

        Creates a new delivery of the same event.

        Needs the scope `webhooks:write`.

        `POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend`
        """
        request = Request(
            "POST",
            "/v1/webhooks/{id}/deliveries/{delivery_id}/resend",
            parameters=(id, delivery_id,),
            is_keyed=True,
        )
        return await self._core.json(request, Delivery.from_json, options)

    def list_deliveries(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        event_type: Optional[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListDeliveriesResponse, Delivery]:
        """List the deliveries of a webhook.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}/deliveries`
        """
        request = Request(
            "GET",
            "/v1/webhooks/{id}/deliveries",
            parameters=(id,),
            query={
                "status": status,
                "event_type": event_type,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return AsyncPagedList(self._core.pages(request, ListDeliveriesResponse.from_json, options), lambda page: page.deliveries)

    async def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetDeliveryResponse:
        """Get a delivery with its attempts.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}/deliveries/{delivery_id}`
        """
        request = Request(
            "GET",
            "/v1/webhooks/{id}/deliveries/{delivery_id}",
            parameters=(id, delivery_id,),
        )
        return await self._core.json(request, GetDeliveryResponse.from_json, options)

    async def get_event(
        self,
        id: str,
        event_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetWebhookEventResponse:
        """Get an event of a webhook.

        Returns the event with the body that is sent to the webhook. Events are kept for 30 days.

        Needs the scope `webhooks:read`.

        `GET /v1/webhooks/{id}/events/{event_id}`
        """
        request = Request("GET", "/v1/webhooks/{id}/events/{event_id}", parameters=(id, event_id,))
        return await self._core.json(request, GetWebhookEventResponse.from_json, options)

    def list_events(
        self,
        *,
        event_type: Optional[Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListWebhookEventsResponse, WebhookEvent]:
        """List webhook events.

        Returns the newest events first, one entry for each subscribed webhook. Events are kept for 30 days.

        Needs the scope `webhooks:read`.

        `GET /v1/webhook-events`
        """
        request = Request(
            "GET",
            "/v1/webhook-events",
            query={"event_type": event_type, "limit": limit, "cursor": cursor},
        )
        return AsyncPagedList(self._core.pages(request, ListWebhookEventsResponse.from_json, options), lambda page: page.events)
