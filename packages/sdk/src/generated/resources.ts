// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Transport } from '../core/transport.js';
import { GeneratedAnalytics } from './analytics.js';
import { GeneratedApiKeys } from './api-keys.js';
import { Batches } from '../resources/batches.js';
import { GeneratedConnections } from './connections.js';
import { Events } from '../resources/events.js';
import { GeneratedExtractions } from './extractions.js';
import { Files } from '../resources/files.js';
import { Jobs } from '../resources/jobs.js';
import { GeneratedNodes } from './nodes.js';
import { GeneratedOrganization } from './organization.js';
import { GeneratedPortal } from './portal.js';
import { GeneratedProviderKeys } from './provider-keys.js';
import { GeneratedRequestLog } from './request-log.js';
import { GeneratedSearch } from './search.js';
import { GeneratedSpaces } from './spaces.js';
import { GeneratedSystem } from './system.js';
import { Variants } from '../resources/variants.js';
import { GeneratedWebhooks } from './webhooks.js';

/** The resources of the API. */
export class Resources {
  readonly analytics: GeneratedAnalytics;
  readonly apiKeys: GeneratedApiKeys;
  readonly batches: Batches;
  readonly connections: GeneratedConnections;
  readonly events: Events;
  readonly extractions: GeneratedExtractions;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly nodes: GeneratedNodes;
  readonly organization: GeneratedOrganization;
  readonly portal: GeneratedPortal;
  readonly providerKeys: GeneratedProviderKeys;
  readonly requestLog: GeneratedRequestLog;
  readonly search: GeneratedSearch;
  readonly spaces: GeneratedSpaces;
  readonly system: GeneratedSystem;
  readonly variants: Variants;
  readonly webhooks: GeneratedWebhooks;

  constructor(transport: Transport) {
    this.analytics = new GeneratedAnalytics(transport);
    this.apiKeys = new GeneratedApiKeys(transport);
    this.batches = new Batches(transport);
    this.connections = new GeneratedConnections(transport);
    this.events = new Events(transport);
    this.extractions = new GeneratedExtractions(transport);
    this.files = new Files(transport);
    this.jobs = new Jobs(transport);
    this.nodes = new GeneratedNodes(transport);
    this.organization = new GeneratedOrganization(transport);
    this.portal = new GeneratedPortal(transport);
    this.providerKeys = new GeneratedProviderKeys(transport);
    this.requestLog = new GeneratedRequestLog(transport);
    this.search = new GeneratedSearch(transport);
    this.spaces = new GeneratedSpaces(transport);
    this.system = new GeneratedSystem(transport);
    this.variants = new Variants(transport);
    this.webhooks = new GeneratedWebhooks(transport);
  }
}
