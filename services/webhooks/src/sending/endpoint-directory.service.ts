// Webhooks with decrypted secrets and parsed URLs, cached by version. Every claim returns the current version, so a rotated secret never
// signs again.
import { keyOf, SealBrokenError, Sealer } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { KeyObject } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { earlierSecrets } from '../webhooks/earlier-secrets.domain.js';
import type { WebhookEntity } from '../webhooks/webhook.entity.js';
import { WebhookStore, type WebhookRef } from '../webhooks/webhook.store.js';
import { openHeaders, openSecret } from '../webhooks/webhook-secrets.service.js';

export interface Endpoint {
  tenantId: string;
  webhookId: string;
  version: number;
  active: boolean;
  origin: string;
  path: string;
  /** Custom headers: names and values alternate. */
  headers: readonly string[];
  key: KeyObject;
  /** The keys of earlier secrets, each of which also signs until it expires. */
  earlier: readonly { key: KeyObject; until: number }[];
  fault: null;
}

/** A webhook that cannot be sent to until its owner or the operator acts. */
export interface UnusableEndpoint {
  active: boolean;
  /** The reason, for the owner of the webhook. */
  fault: string;
}

/** The webhook and its version, as a claim returned them. */
export interface WantedEndpoint {
  tenant_id: string;
  webhook_id: string;
  /** Null when the webhook was deleted. */
  version: number | null;
}

const UNOPENED_SECRET =
  'The signing secret of this webhook cannot be decrypted. Rotate the secret, or ask the operator to restore its encryption key.';
const UNOPENED_HEADERS =
  'The custom headers of this webhook cannot be decrypted. Set headers again, or ask the operator to restore their encryption key.';
const UNREADABLE_URL = 'The URL of this webhook cannot be read. Set url again.';

const CACHED_MAX = 2_000;

@Injectable()
export class EndpointDirectory {
  private readonly cache = new QuickLRU<string, Endpoint>({ maxSize: CACHED_MAX });

  constructor(
    private readonly webhooks: WebhookStore,
    private readonly sealer: Sealer,
  ) {}

  /** Returns the endpoints by webhook id, each in the wanted version or a later one. Deleted webhooks are missing. */
  async load(wanted: readonly WantedEndpoint[]): Promise<ReadonlyMap<string, Endpoint | UnusableEndpoint>> {
    const found = new Map<string, Endpoint | UnusableEndpoint>();
    const unknown = new Map<string, WebhookRef>();
    for (const { tenant_id, webhook_id, version } of wanted) {
      if (version === null || found.has(webhook_id)) continue;
      const cached = this.cache.get(webhook_id);
      if (cached?.version === version && cached.tenantId === tenant_id) found.set(webhook_id, cached);
      else unknown.set(webhook_id, { tenantId: tenant_id, webhookId: webhook_id });
    }
    if (unknown.size > 0) {
      const rows = await this.webhooks.endpoints([...unknown.values()]);
      for (const row of rows) found.set(row.id, this.endpointOf(row));
    }
    return found;
  }

  private endpointOf(row: WebhookEntity): Endpoint | UnusableEndpoint {
    const endpoint = this.open(row);
    if (endpoint.fault === null) this.cache.set(row.id, endpoint);
    else this.cache.delete(row.id);
    return endpoint;
  }

  /** A secret that cannot be decrypted affects its own webhook, never the others of the same claim. */
  private open(row: WebhookEntity): Endpoint | UnusableEndpoint {
    const secret = this.unlessBroken(() => openSecret(this.sealer, row, 'secret'));
    if (secret === null) return { active: row.active, fault: UNOPENED_SECRET };
    const headers = this.unlessBroken(() => openHeaders(this.sealer, row));
    if (headers === null) return { active: row.active, fault: UNOPENED_HEADERS };
    if (!URL.canParse(row.url)) return { active: row.active, fault: UNREADABLE_URL };
    const url = new URL(row.url);
    return {
      tenantId: row.tenant_id,
      webhookId: row.id,
      version: row.version,
      active: row.active,
      origin: url.origin,
      path: url.pathname + url.search,
      headers: Object.entries(headers).flat(),
      key: keyOf(secret),
      earlier: this.earlierOf(row),
      fault: null,
    };
  }

  /** The newest first. A secret that cannot be decrypted does not sign. */
  private earlierOf(row: WebhookEntity): Endpoint['earlier'] {
    return earlierSecrets(row, Date.now())
      .toReversed()
      .flatMap(({ secret: sealed, expiresAt }) => {
        const { tenant_id, id } = row;
        const secret = this.unlessBroken(() => openSecret(this.sealer, { tenant_id, id, secret: sealed }, 'secret'));
        return secret === null ? [] : [{ key: keyOf(secret), until: expiresAt.getTime() }];
      });
  }

  private unlessBroken<Opened>(open: () => Opened): Opened | null {
    try {
      return open();
    } catch (error) {
      if (error instanceof SealBrokenError) return null;
      throw error;
    }
  }
}
