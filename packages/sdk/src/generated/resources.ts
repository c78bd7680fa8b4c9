// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Transport } from '../core/transport.js';
import { Analytics } from './analytics.js';
import { ApiKeys } from './api-keys.js';
import { Batches } from '../resources/batches.js';
import { Connections } from './connections.js';
import { Events } from '../resources/events.js';
import { Extractions } from './extractions.js';
import { Files } from '../resources/files.js';
import { Jobs } from '../resources/jobs.js';
import { Nodes } from './nodes.js';
import { Organization } from './organization.js';
import { Portal } from './portal.js';
import { ProviderKeys } from './provider-keys.js';
import { RequestLog } from './request-log.js';
import { Search } from './search.js';
import { Spaces } from './spaces.js';
import { System } from './system.js';
import { Uploads } from '../resources/uploads.js';
import { Variants } from '../resources/variants.js';
import { Webhooks } from './webhooks.js';

/** The resources of the API. */
export class Resources {
  readonly analytics: Analytics;
  readonly apiKeys: ApiKeys;
  readonly batches: Batches;
  readonly connections: Connections;
  readonly events: Events;
  readonly extractions: Extractions;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly nodes: Nodes;
  readonly organization: Organization;
  readonly portal: Portal;
  readonly providerKeys: ProviderKeys;
  readonly requestLog: RequestLog;
  readonly search: Search;
  readonly spaces: Spaces;
  readonly system: System;
  readonly uploads: Uploads;
  readonly variants: Variants;
  readonly webhooks: Webhooks;

  constructor(transport: Transport) {
    this.analytics = new Analytics(transport);
    this.apiKeys = new ApiKeys(transport);
    this.batches = new Batches(transport);
    this.connections = new Connections(transport);
    this.events = new Events(transport);
    this.extractions = new Extractions(transport);
    this.files = new Files(transport);
    this.jobs = new Jobs(transport);
    this.nodes = new Nodes(transport);
    this.organization = new Organization(transport);
    this.portal = new Portal(transport);
    this.providerKeys = new ProviderKeys(transport);
    this.requestLog = new RequestLog(transport);
    this.search = new Search(transport);
    this.spaces = new Spaces(transport);
    this.system = new System(transport);
    this.uploads = new Uploads(transport);
    this.variants = new Variants(transport);
    this.webhooks = new Webhooks(transport);
  }
}

export type {
  Analytics,
  ApiKeys,
  Batches,
  Connections,
  Events,
  Extractions,
  Files,
  Jobs,
  Nodes,
  Organization,
  Portal,
  ProviderKeys,
  RequestLog,
  Search,
  Spaces,
  System,
  Uploads,
  Variants,
  Webhooks,
};
