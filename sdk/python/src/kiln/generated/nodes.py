# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from typing import List, Literal, Optional

from ..core.options import RequestOptions
from ..core.paging import AsyncPagedList, PagedList
from ..core.request import Request, body_of
from ..core.resource import AsyncResource, Resource
from ..core.run import run
from .models import (
    CommitNodeUploadResponse,
    DeleteNodeResponse,
    DownloadFileResponse,
    InitNodeUploadResponse,
    ListChildrenResponse,
    ListChildrenResponseNode,
    ListNodesResponse,
    Node,
)


class Nodes(Resource):
    def init_upload(
        self,
        *,
        connection_id: str,
        path: str,
        content_type: Optional[str] = None,
        size_bytes: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> InitNodeUploadResponse:
        """Create an upload into a connected bucket.

        Send the bytes to `upload_url` with PUT and `upload_headers`, then commit the upload. If you declare a content type or a size, the upload must match it where the provider can enforce that. If the path is already a node, its `node_id` is kept.

        Needs the scope `connections:write`.

        `POST /v1/nodes/upload/init`
        """
        request = Request(
            "POST",
            "/v1/nodes/upload/init",
            body=body_of({
                "connection_id": connection_id,
                "path": path,
                "content_type": content_type,
                "size_bytes": size_bytes,
            }),
            is_keyed=True,
        )
        return run(self._core.json(request, InitNodeUploadResponse.from_json, options))

    def commit_upload(
        self,
        *,
        node_id: str,
        options: Optional[RequestOptions] = None,
    ) -> CommitNodeUploadResponse:
        """Commit an upload and process the file.

        Creates the node and the file. Returns 409 if the bytes are not in the bucket, and 424 if the bucket does not respond. A repeated commit returns the same file. `node_id` differs from that of the upload only if a sync found the object first.

        Needs the scope `connections:write`.

        `POST /v1/nodes/upload/commit`
        """
        request = Request(
            "POST",
            "/v1/nodes/upload/commit",
            body=body_of({"node_id": node_id}),
            is_keyed=True,
        )
        return run(self._core.json(request, CommitNodeUploadResponse.from_json, options))

    def list(
        self,
        *,
        connection_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        type: Optional[Literal["file", "folder"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListNodesResponse, Node]:
        """List nodes.

        Returns the files and folders found by syncs: folders first, each in the order in which they were found. Filters are combined with AND.

        Needs the scope `connections:read`.

        `GET /v1/nodes`
        """
        request = Request(
            "GET",
            "/v1/nodes",
            query={
                "connection_id": connection_id,
                "parent_id": parent_id,
                "type": type,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return PagedList(self._core.pages(request, ListNodesResponse.from_json, options), lambda page: page.nodes)

    def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Node:
        """Get a node.

        Needs the scope `connections:read`.

        `GET /v1/nodes/{id}`
        """
        request = Request("GET", "/v1/nodes/{id}", parameters=(id,))
        return run(self._core.json(request, Node.from_json, options))

    def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteNodeResponse:
        """Delete a node.

        Deleting a folder deletes everything in it. Nothing in the bucket changes. The next sync finds the objects again, and adds the nodes with their former ids.

        Needs the scope `connections:write`.

        `DELETE /v1/nodes/{id}`
        """
        request = Request("DELETE", "/v1/nodes/{id}", parameters=(id,))
        return run(self._core.json(request, DeleteNodeResponse.from_json, options))

    def list_children(
        self,
        id: str,
        *,
        type: Optional[Literal["file", "folder"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> PagedList[ListChildrenResponse, ListChildrenResponseNode]:
        """List the children of a folder.

        Needs the scope `connections:read`.

        `GET /v1/nodes/{id}/children`
        """
        request = Request(
            "GET",
            "/v1/nodes/{id}/children",
            parameters=(id,),
            query={"type": type, "limit": limit, "cursor": cursor},
        )
        return PagedList(self._core.pages(request, ListChildrenResponse.from_json, options), lambda page: page.nodes)

    def download(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DownloadFileResponse:
        """Get a download URL for a node.

        The URL points to the bucket, is valid for one hour, and needs no credentials. Returns 409 for a folder.

        Needs the scope `connections:read`.

        `GET /v1/nodes/{id}/download`
        """
        request = Request("GET", "/v1/nodes/{id}/download", parameters=(id,))
        return run(self._core.json(request, DownloadFileResponse.from_json, options))


class AsyncNodes(AsyncResource):
    async def init_upload(
        self,
        *,
        connection_id: str,
        path: str,
        content_type: Optional[str] = None,
        size_bytes: Optional[int] = None,
        options: Optional[RequestOptions] = None,
    ) -> InitNodeUploadResponse:
        """Create an upload into a connected bucket.

        Send the bytes to `upload_url` with PUT and `upload_headers`, then commit the upload. If you declare a content type or a size, the upload must match it where the provider can enforce that. If the path is already a node, its `node_id` is kept.

        Needs the scope `connections:write`.

        `POST /v1/nodes/upload/init`
        """
        request = Request(
            "POST",
            "/v1/nodes/upload/init",
            body=body_of({
                "connection_id": connection_id,
                "path": path,
                "content_type": content_type,
                "size_bytes": size_bytes,
            }),
            is_keyed=True,
        )
        return await self._core.json(request, InitNodeUploadResponse.from_json, options)

    async def commit_upload(
        self,
        *,
        node_id: str,
        options: Optional[RequestOptions] = None,
    ) -> CommitNodeUploadResponse:
        """Commit an upload and process the file.

        Creates the node and the file. Returns 409 if the bytes are not in the bucket, and 424 if the bucket does not respond. A repeated commit returns the same file. `node_id` differs from that of the upload only if a sync found the object first.

        Needs the scope `connections:write`.

        `POST /v1/nodes/upload/commit`
        """
        request = Request(
            "POST",
            "/v1/nodes/upload/commit",
            body=body_of({"node_id": node_id}),
            is_keyed=True,
        )
        return await self._core.json(request, CommitNodeUploadResponse.from_json, options)

    def list(
        self,
        *,
        connection_id: Optional[str] = None,
        parent_id: Optional[str] = None,
        type: Optional[Literal["file", "folder"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListNodesResponse, Node]:
        """List nodes.

        Returns the files and folders found by syncs: folders first, each in the order in which they were found. Filters are combined with AND.

        Needs the scope `connections:read`.

        `GET /v1/nodes`
        """
        request = Request(
            "GET",
            "/v1/nodes",
            query={
                "connection_id": connection_id,
                "parent_id": parent_id,
                "type": type,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return AsyncPagedList(self._core.pages(request, ListNodesResponse.from_json, options), lambda page: page.nodes)

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Node:
        """Get a node.

        Needs the scope `connections:read`.

        `GET /v1/nodes/{id}`
        """
        request = Request("GET", "/v1/nodes/{id}", parameters=(id,))
        return await self._core.json(request, Node.from_json, options)

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteNodeResponse:
        """Delete a node.

        Deleting a folder deletes everything in it. Nothing in the bucket changes. The next sync finds the objects again, and adds the nodes with their former ids.

        Needs the scope `connections:write`.

        `DELETE /v1/nodes/{id}`
        """
        request = Request("DELETE", "/v1/nodes/{id}", parameters=(id,))
        return await self._core.json(request, DeleteNodeResponse.from_json, options)

    def list_children(
        self,
        id: str,
        *,
        type: Optional[Literal["file", "folder"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPagedList[ListChildrenResponse, ListChildrenResponseNode]:
        """List the children of a folder.

        Needs the scope `connections:read`.

        `GET /v1/nodes/{id}/children`
        """
        request = Request(
            "GET",
            "/v1/nodes/{id}/children",
            parameters=(id,),
            query={"type": type, "limit": limit, "cursor": cursor},
        )
        return AsyncPagedList(self._core.pages(request, ListChildrenResponse.from_json, options), lambda page: page.nodes)

    async def download(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DownloadFileResponse:
        """Get a download URL for a node.

        The URL points to the bucket, is valid for one hour, and needs no credentials. Returns 409 for a folder.

        Needs the scope `connections:read`.

        `GET /v1/nodes/{id}/download`
        """
        request = Request("GET", "/v1/nodes/{id}/download", parameters=(id,))
        return await self._core.json(request, DownloadFileResponse.from_json, options)
