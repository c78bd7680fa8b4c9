# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from __future__ import annotations

from ..core.transport import Core
from .analytics import AsyncAnalytics, Analytics
from .api_keys import AsyncApiKeys, ApiKeys
from ..resources.batches import AsyncBatches, Batches
from .connections import AsyncConnections, Connections
from ..resources.events import AsyncEvents, Events
from .extractions import AsyncExtractions, Extractions
from ..resources.files import AsyncFiles, Files
from ..resources.jobs import AsyncJobs, Jobs
from .nodes import AsyncNodes, Nodes
from .organization import AsyncOrganization, Organization
from .portal import AsyncPortal, Portal
from .provider_keys import AsyncProviderKeys, ProviderKeys
from .request_log import AsyncRequestLog, RequestLog
from .search import AsyncSearch, Search
from .spaces import AsyncSpaces, Spaces
from .system import AsyncSystem, System
from .uploads import AsyncUploads, Uploads
from ..resources.variants import AsyncVariants, Variants
from .webhooks import AsyncWebhooks, Webhooks


class Resources:
    """The resources of the API."""

    def __init__(self, core: Core) -> None:
        self.analytics = Analytics(core)
        self.api_keys = ApiKeys(core)
        self.batches = Batches(core)
        self.connections = Connections(core)
        self.events = Events(core)
        self.extractions = Extractions(core)
        self.files = Files(core)
        self.jobs = Jobs(core)
        self.nodes = Nodes(core)
        self.organization = Organization(core)
        self.portal = Portal(core)
        self.provider_keys = ProviderKeys(core)
        self.request_log = RequestLog(core)
        self.search = Search(core)
        self.spaces = Spaces(core)
        self.system = System(core)
        self.uploads = Uploads(core)
        self.variants = Variants(core)
        self.webhooks = Webhooks(core)


class AsyncResources:
    """The resources of the API."""

    def __init__(self, core: Core) -> None:
        self.analytics = AsyncAnalytics(core)
        self.api_keys = AsyncApiKeys(core)
        self.batches = AsyncBatches(core)
        self.connections = AsyncConnections(core)
        self.events = AsyncEvents(core)
        self.extractions = AsyncExtractions(core)
        self.files = AsyncFiles(core)
        self.jobs = AsyncJobs(core)
        self.nodes = AsyncNodes(core)
        self.organization = AsyncOrganization(core)
        self.portal = AsyncPortal(core)
        self.provider_keys = AsyncProviderKeys(core)
        self.request_log = AsyncRequestLog(core)
        self.search = AsyncSearch(core)
        self.spaces = AsyncSpaces(core)
        self.system = AsyncSystem(core)
        self.uploads = AsyncUploads(core)
        self.variants = AsyncVariants(core)
        self.webhooks = AsyncWebhooks(core)
