# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Mapping, Optional, Sequence, Union

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import OMITTED, Omitted, Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    BrowseConnectionResponse,
    BrowseConnectionResponseObject,
    Connection,
    DeleteConnectionResponse,
    GetSyncProgressResponse,
    ListConnectionBucketsResponse,
    ListConnectionProvidersResponse,
    ListConnectionsResponse,
    ListSyncsResponse,
    PreviewSyncResponse,
    StartConnectionResponse,
    Sync,
    TestConnectionResponse,
    VerifyConnectionResponse,
)
from .params import (
    CreateConnectionRequestInventory,
    CreateConnectionRequestNotifications,
    UpdateConnectionRequestInventory,
    UpdateConnectionRequestNotifications,
    VerifyConnectionRequestInventory,
    VerifyConnectionRequestNotifications,
)


class Connections(Resource):
    def verify(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        name: str,
        bucket: str,
        credentials: Mapping[str, object],
        region: Union[Optional[str], Omitted] = OMITTED,
        prefix: Union[Optional[str], Omitted] = OMITTED,
        listing_order: Optional[Literal["sorted", "unsorted"]] = None,
        auto_process: Optional[bool] = None,
        on_change: Optional[Literal["reprocess", "ignore"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        min_size: Union[Optional[int], Omitted] = OMITTED,
        max_size: Union[Optional[int], Omitted] = OMITTED,
        modified_after: Union[Optional[str], Omitted] = OMITTED,
        content_types: Optional[Sequence[str]] = None,
        storage_classes: Optional[Sequence[str]] = None,
        on_delete: Optional[Literal["delete", "keep"]] = None,
        space: Optional[str] = None,
        sync_interval_minutes: Union[Optional[int], Omitted] = OMITTED,
        paused: Optional[bool] = None,
        notifications: Union[Optional[VerifyConnectionRequestNotifications], Omitted] = OMITTED,
        inventory: Union[Optional[VerifyConnectionRequestInventory], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> VerifyConnectionResponse:
        """Verify a bucket and create its connection.

        Lists the bucket with the credentials. If that fails, returns 400 with the reason and creates nothing. Credentials are encrypted at rest and never returned.

        Needs the scope `connections:write`.

        `POST /v1/connections/verify`
        """
        request = Request(
            "POST",
            "/v1/connections/verify",
            body=body_of({
                "provider": provider,
                "name": name,
                "bucket": bucket,
                "region": region,
                "prefix": prefix,
                "listing_order": listing_order,
                "auto_process": auto_process,
                "on_change": on_change,
                "include": include,
                "exclude": exclude,
                "min_size": min_size,
                "max_size": max_size,
                "modified_after": modified_after,
                "content_types": content_types,
                "storage_classes": storage_classes,
                "on_delete": on_delete,
                "space": space,
                "sync_interval_minutes": sync_interval_minutes,
                "paused": paused,
                "notifications": notifications,
                "inventory": inventory,
                "credentials": credentials,
            }, nulls=["region", "prefix", "min_size", "max_size", "modified_after", "sync_interval_minutes", "notifications", "inventory"]),
            is_keyed=True,
        )
        return run(self._core.json(request, VerifyConnectionResponse.from_json, options))

    def start(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        options: Optional[RequestOptions] = None,
    ) -> StartConnectionResponse:
        """Get the setup instructions for a provider.

        Needs the scope `connections:write`.

        `POST /v1/connections/start`
        """
        request = Request(
            "POST",
            "/v1/connections/start",
            body=body_of({"provider": provider}),
            is_keyed=True,
        )
        return run(self._core.json(request, StartConnectionResponse.from_json, options))

    def list_buckets(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        credentials: Mapping[str, object],
        region: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> ListConnectionBucketsResponse:
        """List the buckets visible to credentials.

        The credentials are not stored. Returns 400 with the reason if the provider rejects the request. Some providers allow a key to read one bucket but not to list buckets.

        Needs the scope `connections:write`.

        `POST /v1/connections/list-buckets`
        """
        request = Request(
            "POST",
            "/v1/connections/list-buckets",
            body=body_of({"provider": provider, "region": region, "credentials": credentials}, nulls=["region"]),
            is_keyed=True,
        )
        return run(self._core.json(request, ListConnectionBucketsResponse.from_json, options))

    def list_providers(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListConnectionProvidersResponse:
        """List connection providers.

        Needs the scope `connections:read`.

        `GET /v1/connections/providers`
        """
        request = Request("GET", "/v1/connections/providers")
        return run(self._core.json(request, ListConnectionProvidersResponse.from_json, options))

    def create(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        name: str,
        bucket: str,
        region: Union[Optional[str], Omitted] = OMITTED,
        prefix: Union[Optional[str], Omitted] = OMITTED,
        listing_order: Optional[Literal["sorted", "unsorted"]] = None,
        auto_process: Optional[bool] = None,
        on_change: Optional[Literal["reprocess", "ignore"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        min_size: Union[Optional[int], Omitted] = OMITTED,
        max_size: Union[Optional[int], Omitted] = OMITTED,
        modified_after: Union[Optional[str], Omitted] = OMITTED,
        content_types: Optional[Sequence[str]] = None,
        storage_classes: Optional[Sequence[str]] = None,
        on_delete: Optional[Literal["delete", "keep"]] = None,
        space: Optional[str] = None,
        sync_interval_minutes: Union[Optional[int], Omitted] = OMITTED,
        paused: Optional[bool] = None,
        notifications: Union[Optional[CreateConnectionRequestNotifications], Omitted] = OMITTED,
        inventory: Union[Optional[CreateConnectionRequestInventory], Omitted] = OMITTED,
        credentials: Union[Optional[Mapping[str, object]], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> Connection:
        """Create a connection.

        Stores the connection without a request to the bucket. The connection is `pending` until its first successful test or sync. To test the bucket first, use `POST /v1/connections/verify`.

        Needs the scope `connections:write`.

        `POST /v1/connections`
        """
        request = Request(
            "POST",
            "/v1/connections",
            body=body_of({
                "provider": provider,
                "name": name,
                "bucket": bucket,
                "region": region,
                "prefix": prefix,
                "listing_order": listing_order,
                "auto_process": auto_process,
                "on_change": on_change,
                "include": include,
                "exclude": exclude,
                "min_size": min_size,
                "max_size": max_size,
                "modified_after": modified_after,
                "content_types": content_types,
                "storage_classes": storage_classes,
                "on_delete": on_delete,
                "space": space,
                "sync_interval_minutes": sync_interval_minutes,
                "paused": paused,
                "notifications": notifications,
                "inventory": inventory,
                "credentials": credentials,
            }, nulls=["region", "prefix", "min_size", "max_size", "modified_after", "sync_interval_minutes", "notifications", "inventory", "credentials"]),
            is_keyed=True,
        )
        return run(self._core.json(request, Connection.from_json, options))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListConnectionsResponse, Connection]:
        """List connections.

        Needs the scope `connections:read`.

        `GET /v1/connections`
        """
        request = Request("GET", "/v1/connections", query={"limit": limit, "cursor": cursor})
        return PagedList(self._core.pages(request, ListConnectionsResponse.from_json, options), lambda page: page.connections)

    def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Connection:
        """Get a connection.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}`
        """
        request = Request("GET", "/v1/connections/{id}", parameters=(id,))
        return run(self._core.json(request, Connection.from_json, options))

    def update(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        region: Union[Optional[str], Omitted] = OMITTED,
        listing_order: Optional[Literal["sorted", "unsorted"]] = None,
        auto_process: Optional[bool] = None,
        on_change: Optional[Literal["reprocess", "ignore"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        min_size: Union[Optional[int], Omitted] = OMITTED,
        max_size: Union[Optional[int], Omitted] = OMITTED,
        modified_after: Union[Optional[str], Omitted] = OMITTED,
        content_types: Optional[Sequence[str]] = None,
        storage_classes: Optional[Sequence[str]] = None,
        on_delete: Optional[Literal["delete", "keep"]] = None,
        space: Optional[str] = None,
        sync_interval_minutes: Union[Optional[int], Omitted] = OMITTED,
        paused: Optional[bool] = None,
        notifications: Union[Optional[UpdateConnectionRequestNotifications], Omitted] = OMITTED,
        inventory: Union[Optional[UpdateConnectionRequestInventory], Omitted] = OMITTED,
        credentials: Optional[Mapping[str, object]] = None,
        options: Optional[RequestOptions] = None,
    ) -> Connection:
        """Update a connection.

        Changes the name, the region, the order of listings, the credentials, the schedule or the rules. Omitted fields keep their values. A new region and new credentials are tested first; if the bucket cannot be read with them, returns 400 with the reason and keeps the old ones. Nodes and syncs are kept.

        Needs the scope `connections:write`.

        `PATCH /v1/connections/{id}`
        """
        request = Request(
            "PATCH",
            "/v1/connections/{id}",
            parameters=(id,),
            body=body_of({
                "name": name,
                "region": region,
                "listing_order": listing_order,
                "auto_process": auto_process,
                "on_change": on_change,
                "include": include,
                "exclude": exclude,
                "min_size": min_size,
                "max_size": max_size,
                "modified_after": modified_after,
                "content_types": content_types,
                "storage_classes": storage_classes,
                "on_delete": on_delete,
                "space": space,
                "sync_interval_minutes": sync_interval_minutes,
                "paused": paused,
                "notifications": notifications,
                "inventory": inventory,
                "credentials": credentials,
            }, nulls=["region", "min_size", "max_size", "modified_after", "sync_interval_minutes", "notifications", "inventory"]),
        )
        return run(self._core.json(request, Connection.from_json, options))

    def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteConnectionResponse:
        """Delete a connection.

        Deletes its credentials and nodes. Files created from it are kept. Nothing in the bucket changes.

        Needs the scope `connections:write`.

        `DELETE /v1/connections/{id}`
        """
        request = Request("DELETE", "/v1/connections/{id}", parameters=(id,))
        return run(self._core.json(request, DeleteConnectionResponse.from_json, options))

    def test(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> TestConnectionResponse:
        """Test a connection.

        Lists the bucket, reads an object, and tries a signed URL. Returns 200 in either case: `success` is the result, `error` the reason for a failure. A `pending` connection becomes `active` after its first success. An `active` connection becomes `error` after a failure, and `active` again after the next success.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/test`
        """
        request = Request("POST", "/v1/connections/{id}/test", parameters=(id,), is_keyed=True)
        return run(self._core.json(request, TestConnectionResponse.from_json, options))

    def browse(
        self,
        id: str,
        *,
        prefix: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[BrowseConnectionResponse, BrowseConnectionResponseObject]:
        """Browse the objects of a bucket.

        Returns keys below the prefix of the connection, in the order of the provider. A page can hold fewer than `limit` objects without being the last. Returns 409 with the reason if the bucket cannot be listed, and 424 if it does not respond.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}/browse`
        """
        request = Request(
            "GET",
            "/v1/connections/{id}/browse",
            parameters=(id,),
            query={"prefix": prefix, "limit": limit, "cursor": cursor},
        )
        return PagedList(self._core.pages(request, BrowseConnectionResponse.from_json, options), lambda page: page.objects)

    def start_sync(
        self,
        id: str,
        *,
        force: Optional[bool] = None,
        options: Optional[RequestOptions] = None,
    ) -> Sync:
        """Sync a connection with its bucket.

        Lists the bucket and updates the nodes, without reading bytes. The request waits up to 10 seconds. A longer sync returns as `syncing` and continues in the background. Returns 409 if another sync is running. Nodes are removed only after the whole bucket has been listed. A sync that would remove more than 20 nodes and more than half of all nodes fails with `too_many_deletions`, unless `force` is true.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/sync`
        """
        request = Request(
            "POST",
            "/v1/connections/{id}/sync",
            parameters=(id,),
            body=body_of({"force": force}),
            is_keyed=True,
        )
        return run(self._core.json(request, Sync.from_json, options))

    def cancel_sync(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Sync:
        """Cancel the running sync.

        The sync ends as `cancelled`. Nodes found so far are kept, and none are removed. Returns 409 if no sync is pending or running.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/sync/cancel`
        """
        request = Request("POST", "/v1/connections/{id}/sync/cancel", parameters=(id,), is_keyed=True)
        return run(self._core.json(request, Sync.from_json, options))

    def preview_sync(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> PreviewSyncResponse:
        """Preview a sync.

        Lists the bucket and returns what a sync would change, without changing anything. If listing takes longer than about 15 seconds, the preview covers the part that was listed, and `complete` is false.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/sync/preview`
        """
        request = Request("POST", "/v1/connections/{id}/sync/preview", parameters=(id,), is_keyed=True)
        return run(self._core.json(request, PreviewSyncResponse.from_json, options))

    def get_sync_progress(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSyncProgressResponse:
        """Get the progress of the newest sync.

        `total` is the number of objects counted by the last complete sync, because the size of a bucket is unknown until it has been listed.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}/sync/progress`
        """
        request = Request("GET", "/v1/connections/{id}/sync/progress", parameters=(id,))
        return run(self._core.json(request, GetSyncProgressResponse.from_json, options))

    def list_syncs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListSyncsResponse, Sync]:
        """List the syncs of a connection.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}/sync/history`
        """
        request = Request(
            "GET",
            "/v1/connections/{id}/sync/history",
            parameters=(id,),
            query={"limit": limit, "cursor": cursor},
        )
        return PagedList(self._core.pages(request, ListSyncsResponse.from_json, options), lambda page: page.syncs)


class AsyncConnections(AsyncResource):
    async def verify(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        name: str,
        bucket: str,
        credentials: Mapping[str, object],
        region: Union[Optional[str], Omitted] = OMITTED,
        prefix: Union[Optional[str], Omitted] = OMITTED,
        listing_order: Optional[Literal["sorted", "unsorted"]] = None,
        auto_process: Optional[bool] = None,
        on_change: Optional[Literal["reprocess", "ignore"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        min_size: Union[Optional[int], Omitted] = OMITTED,
        max_size: Union[Optional[int], Omitted] = OMITTED,
        modified_after: Union[Optional[str], Omitted] = OMITTED,
        content_types: Optional[Sequence[str]] = None,
        storage_classes: Optional[Sequence[str]] = None,
        on_delete: Optional[Literal["delete", "keep"]] = None,
        space: Optional[str] = None,
        sync_interval_minutes: Union[Optional[int], Omitted] = OMITTED,
        paused: Optional[bool] = None,
        notifications: Union[Optional[VerifyConnectionRequestNotifications], Omitted] = OMITTED,
        inventory: Union[Optional[VerifyConnectionRequestInventory], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> VerifyConnectionResponse:
        """Verify a bucket and create its connection.

        Lists the bucket with the credentials. If that fails, returns 400 with the reason and creates nothing. Credentials are encrypted at rest and never returned.

        Needs the scope `connections:write`.

        `POST /v1/connections/verify`
        """
        request = Request(
            "POST",
            "/v1/connections/verify",
            body=body_of({
                "provider": provider,
                "name": name,
                "bucket": bucket,
                "region": region,
                "prefix": prefix,
                "listing_order": listing_order,
                "auto_process": auto_process,
                "on_change": on_change,
                "include": include,
                "exclude": exclude,
                "min_size": min_size,
                "max_size": max_size,
                "modified_after": modified_after,
                "content_types": content_types,
                "storage_classes": storage_classes,
                "on_delete": on_delete,
                "space": space,
                "sync_interval_minutes": sync_interval_minutes,
                "paused": paused,
                "notifications": notifications,
                "inventory": inventory,
                "credentials": credentials,
            }, nulls=["region", "prefix", "min_size", "max_size", "modified_after", "sync_interval_minutes", "notifications", "inventory"]),
            is_keyed=True,
        )
        return await self._core.json(request, VerifyConnectionResponse.from_json, options)

    async def start(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        options: Optional[RequestOptions] = None,
    ) -> StartConnectionResponse:
        """Get the setup instructions for a provider.

        Needs the scope `connections:write`.

        `POST /v1/connections/start`
        """
        request = Request(
            "POST",
            "/v1/connections/start",
            body=body_of({"provider": provider}),
            is_keyed=True,
        )
        return await self._core.json(request, StartConnectionResponse.from_json, options)

    async def list_buckets(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        credentials: Mapping[str, object],
        region: Union[Optional[str], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> ListConnectionBucketsResponse:
        """List the buckets visible to credentials.

        The credentials are not stored. Returns 400 with the reason if the provider rejects the request. Some providers allow a key to read one bucket but not to list buckets.

        Needs the scope `connections:write`.

        `POST /v1/connections/list-buckets`
        """
        request = Request(
            "POST",
            "/v1/connections/list-buckets",
            body=body_of({"provider": provider, "region": region, "credentials": credentials}, nulls=["region"]),
            is_keyed=True,
        )
        return await self._core.json(request, ListConnectionBucketsResponse.from_json, options)

    async def list_providers(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListConnectionProvidersResponse:
        """List connection providers.

        Needs the scope `connections:read`.

        `GET /v1/connections/providers`
        """
        request = Request("GET", "/v1/connections/providers")
        return await self._core.json(request, ListConnectionProvidersResponse.from_json, options)

    async def create(
        self,
        *,
        provider: Literal["s3", "gcs", "container_blob", "r2", "selfhost_s3", "b2", "spaces_store", "hot_store", "backend_storage"],
        name: str,
        bucket: str,
        region: Union[Optional[str], Omitted] = OMITTED,
        prefix: Union[Optional[str], Omitted] = OMITTED,
        listing_order: Optional[Literal["sorted", "unsorted"]] = None,
        auto_process: Optional[bool] = None,
        on_change: Optional[Literal["reprocess", "ignore"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        min_size: Union[Optional[int], Omitted] = OMITTED,
        max_size: Union[Optional[int], Omitted] = OMITTED,
        modified_after: Union[Optional[str], Omitted] = OMITTED,
        content_types: Optional[Sequence[str]] = None,
        storage_classes: Optional[Sequence[str]] = None,
        on_delete: Optional[Literal["delete", "keep"]] = None,
        space: Optional[str] = None,
        sync_interval_minutes: Union[Optional[int], Omitted] = OMITTED,
        paused: Optional[bool] = None,
        notifications: Union[Optional[CreateConnectionRequestNotifications], Omitted] = OMITTED,
        inventory: Union[Optional[CreateConnectionRequestInventory], Omitted] = OMITTED,
        credentials: Union[Optional[Mapping[str, object]], Omitted] = OMITTED,
        options: Optional[RequestOptions] = None,
    ) -> Connection:
        """Create a connection.

        Stores the connection without a request to the bucket. The connection is `pending` until its first successful test or sync. To test the bucket first, use `POST /v1/connections/verify`.

        Needs the scope `connections:write`.

        `POST /v1/connections`
        """
        request = Request(
            "POST",
            "/v1/connections",
            body=body_of({
                "provider": provider,
                "name": name,
                "bucket": bucket,
                "region": region,
                "prefix": prefix,
                "listing_order": listing_order,
                "auto_process": auto_process,
                "on_change": on_change,
                "include": include,
                "exclude": exclude,
                "min_size": min_size,
                "max_size": max_size,
                "modified_after": modified_after,
                "content_types": content_types,
                "storage_classes": storage_classes,
                "on_delete": on_delete,
                "space": space,
                "sync_interval_minutes": sync_interval_minutes,
                "paused": paused,
                "notifications": notifications,
                "inventory": inventory,
                "credentials": credentials,
            }, nulls=["region", "prefix", "min_size", "max_size", "modified_after", "sync_interval_minutes", "notifications", "inventory", "credentials"]),
            is_keyed=True,
        )
        return await self._core.json(request, Connection.from_json, options)

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListConnectionsResponse, Connection]:
        """List connections.

        Needs the scope `connections:read`.

        `GET /v1/connections`
        """
        request = Request("GET", "/v1/connections", query={"limit": limit, "cursor": cursor})
        return AsyncPagedList(self._core.pages(request, ListConnectionsResponse.from_json, options), lambda page: page.connections)

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Connection:
        """Get a connection.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}`
        """
        request = Request("GET", "/v1/connections/{id}", parameters=(id,))
        return await self._core.json(request, Connection.from_json, options)

    async def update(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        region: Union[Optional[str], Omitted] = OMITTED,
        listing_order: Optional[Literal["sorted", "unsorted"]] = None,
        auto_process: Optional[bool] = None,
        on_change: Optional[Literal["reprocess", "ignore"]] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        min_size: Union[Optional[int], Omitted] = OMITTED,
        max_size: Union[Optional[int], Omitted] = OMITTED,
        modified_after: Union[Optional[str], Omitted] = OMITTED,
        content_types: Optional[Sequence[str]] = None,
        storage_classes: Optional[Sequence[str]] = None,
        on_delete: Optional[Literal["delete", "keep"]] = None,
        space: Optional[str] = None,
        sync_interval_minutes: Union[Optional[int], Omitted] = OMITTED,
        paused: Optional[bool] = None,
        notifications: Union[Optional[UpdateConnectionRequestNotifications], Omitted] = OMITTED,
        inventory: Union[Optional[UpdateConnectionRequestInventory], Omitted] = OMITTED,
        credentials: Optional[Mapping[str, object]] = None,
        options: Optional[RequestOptions] = None,
    ) -> Connection:
        """Update a connection.

        Changes the name, the region, the order of listings, the credentials, the schedule or the rules. Omitted fields keep their values. A new region and new credentials are tested first; if the bucket cannot be read with them, returns 400 with the reason and keeps the old ones. Nodes and syncs are kept.

        Needs the scope `connections:write`.

        `PATCH /v1/connections/{id}`
        """
        request = Request(
            "PATCH",
            "/v1/connections/{id}",
            parameters=(id,),
            body=body_of({
                "name": name,
                "region": region,
                "listing_order": listing_order,
                "auto_process": auto_process,
                "on_change": on_change,
                "include": include,
                "exclude": exclude,
                "min_size": min_size,
                "max_size": max_size,
                "modified_after": modified_after,
                "content_types": content_types,
                "storage_classes": storage_classes,
                "on_delete": on_delete,
                "space": space,
                "sync_interval_minutes": sync_interval_minutes,
                "paused": paused,
                "notifications": notifications,
                "inventory": inventory,
                "credentials": credentials,
            }, nulls=["region", "min_size", "max_size", "modified_after", "sync_interval_minutes", "notifications", "inventory"]),
        )
        return await self._core.json(request, Connection.from_json, options)

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteConnectionResponse:
        """Delete a connection.

        Deletes its credentials and nodes. Files created from it are kept. Nothing in the bucket changes.

        Needs the scope `connections:write`.

        `DELETE /v1/connections/{id}`
        """
        request = Request("DELETE", "/v1/connections/{id}", parameters=(id,))
        return await self._core.json(request, DeleteConnectionResponse.from_json, options)

    async def test(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> TestConnectionResponse:
        """Test a connection.

        Lists the bucket, reads an object, and tries a signed URL. Returns 200 in either case: `success` is the result, `error` the reason for a failure. A `pending` connection becomes `active` after its first success. An `active` connection becomes `error` after a failure, and `active` again after the next success.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/test`
        """
        request = Request("POST", "/v1/connections/{id}/test", parameters=(id,), is_keyed=True)
        return await self._core.json(request, TestConnectionResponse.from_json, options)

    def browse(
        self,
        id: str,
        *,
        prefix: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[BrowseConnectionResponse, BrowseConnectionResponseObject]:
        """Browse the objects of a bucket.

        Returns keys below the prefix of the connection, in the order of the provider. A page can hold fewer than `limit` objects without being the last. Returns 409 with the reason if the bucket cannot be listed, and 424 if it does not respond.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}/browse`
        """
        request = Request(
            "GET",
            "/v1/connections/{id}/browse",
            parameters=(id,),
            query={"prefix": prefix, "limit": limit, "cursor": cursor},
        )
        return AsyncPagedList(self._core.pages(request, BrowseConnectionResponse.from_json, options), lambda page: page.objects)

    async def start_sync(
        self,
        id: str,
        *,
        force: Optional[bool] = None,
        options: Optional[RequestOptions] = None,
    ) -> Sync:
        """Sync a connection with its bucket.

        Lists the bucket and updates the nodes, without reading bytes. The request waits up to 10 seconds. A longer sync returns as `syncing` and continues in the background. Returns 409 if another sync is running. Nodes are removed only after the whole bucket has been listed. A sync that would remove more than 20 nodes and more than half of all nodes fails with `too_many_deletions`, unless `force` is true.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/sync`
        """
        request = Request(
            "POST",
            "/v1/connections/{id}/sync",
            parameters=(id,),
            body=body_of({"force": force}),
            is_keyed=True,
        )
        return await self._core.json(request, Sync.from_json, options)

    async def cancel_sync(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Sync:
        """Cancel the running sync.

        The sync ends as `cancelled`. Nodes found so far are kept, and none are removed. Returns 409 if no sync is pending or running.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/sync/cancel`
        """
        request = Request("POST", "/v1/connections/{id}/sync/cancel", parameters=(id,), is_keyed=True)
        return await self._core.json(request, Sync.from_json, options)

    async def preview_sync(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> PreviewSyncResponse:
        """Preview a sync.

        Lists the bucket and returns what a sync would change, without changing anything. If listing takes longer than about 15 seconds, the preview covers the part that was listed, and `complete` is false.

        Needs the scope `connections:write`.

        `POST /v1/connections/{id}/sync/preview`
        """
        request = Request("POST", "/v1/connections/{id}/sync/preview", parameters=(id,), is_keyed=True)
        return await self._core.json(request, PreviewSyncResponse.from_json, options)

    async def get_sync_progress(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetSyncProgressResponse:
        """Get the progress of the newest sync.

        `total` is the number of objects counted by the last complete sync, because the size of a bucket is unknown until it has been listed.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}/sync/progress`
        """
        request = Request("GET", "/v1/connections/{id}/sync/progress", parameters=(id,))
        return await self._core.json(request, GetSyncProgressResponse.from_json, options)

    def list_syncs(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListSyncsResponse, Sync]:
        """List the syncs of a connection.

        Needs the scope `connections:read`.

        `GET /v1/connections/{id}/sync/history`
        """
        request = Request(
            "GET",
            "/v1/connections/{id}/sync/history",
            parameters=(id,),
            query={"limit": limit, "cursor": cursor},
        )
        return AsyncPagedList(self._core.pages(request, ListSyncsResponse.from_json, options), lambda page: page.syncs)
