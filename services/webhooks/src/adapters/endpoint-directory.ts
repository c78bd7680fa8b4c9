// Webhooks as the worker needs them, opened and taken apart once for each version. Whether a version is still the newest is asked of
// the database for every batch: a rotated secret never signs again.
import type { Sealer } from '@kiln/platform';
import type { KeyObject } from 'node:crypto';
import { keyOf } from '../domain/signature.js';
import type { WebhookRow } from '../store/webhook.rows.js';
import type { WebhookRef, WebhookStore } from '../store/webhook.store.js';
import { openHeaders, openSecret } from './webhook-secrets.js';

export interface Endpoint {
  tenantId: string;
  webhookId: string;
  version: number;
  active: boolean;
  origin: string;
  path: string;
  /** Custom headers, names and values in turn. */
  headers: readonly string[];
  key: KeyObject;
  /** Signs as well until the moment it stands with. */
  previous: { key: KeyObject; until: number } | null;
}

const CACHED_MAX = 2_000;

export class EndpointDirectory {
  private readonly cache = new Map<string, Endpoint>();

  constructor(
    private readonly webhooks: WebhookStore,
    private readonly sealer: Sealer,
  ) {}

  /** As they are now, by webhook id; those that are gone are missing. */
  async load(refs: readonly WebhookRef[]): Promise<Map<string, Endpoint>> {
    const distinct = new Map(refs.map((ref) => [ref.webhookId, ref]));
    const rows = await this.webhooks.endpoints([...distinct.values()]);
    return new Map(rows.map((row) => [row.id, this.endpointOf(row)]));
  }

  private endpointOf(row: WebhookRow): Endpoint {
    const cached = this.cache.get(row.id);
    if (cached?.version === row.version && cached.tenantId === row.tenant_id) return cached;
    const endpoint = this.open(row);
    this.cache.delete(row.id);
    this.cache.set(row.id, endpoint);
    if (this.cache.size > CACHED_MAX) {
      for (const oldest of this.cache.keys()) {
        this.cache.delete(oldest);
        break;
      }
    }
    return endpoint;
  }

  private open(row: WebhookRow): Endpoint {
    const url = new URL(row.url);
    const previous = openSecret(this.sealer, row, 'previous_secret');
    return {
      tenantId: row.tenant_id,
      webhookId: row.id,
      version: row.version,
      active: row.active,
      origin: url.origin,
      path: url.pathname + url.search,
      headers: Object.entries(openHeaders(this.sealer, row)).flat(),
      key: keyOf(openSecret(this.sealer, row, 'secret') ?? ''),
      previous:
        previous === null || row.previous_secret_expires_at === null
          ? null
          : { key: keyOf(previous), until: row.previous_secret_expires_at.getTime() },
    };
  }
}
