// Publishes the requests of authenticated callers, off the request path. It collects entries and sends them in batches, one event
// per tenant. Adding an entry never waits and never fails. If the bus is unavailable until the buffer is full, the oldest entries
// are dropped and counted.
import { encodeId, gatewayEvents, LOGGED_REQUESTS_MAX, type LoggedRequest } from '@kiln/contracts';
import type { EventPublisher, Logger, Metrics } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { Requester } from '../auth/caller.domain.js';
import { mapAtATime, partsOf } from '../limits/at-a-time.domain.js';

export interface FinishedRequest extends Omit<LoggedRequest, 'id' | 'auth_type' | 'key_name' | 'created_at'> {
  /** The caller, or the hash of a refused key, which may be a key that was revoked or has expired. */
  requester: Requester | { keyHash: Buffer };
}

interface RequestLogParts {
  /** Refused requests are logged under the owners of their keys. */
  keys: { findKnown: (hashes: Buffer[]) => Promise<{ hash: Buffer; requester: Requester }[]> };
  /** Publishes to JetStream without an outbox: a request must not wait for its log entry, and an entry may be lost. */
  publisher: Pick<EventPublisher, 'publish'>;
  metrics: Pick<Metrics, 'counter'>;
  logger: Logger;
}

type Entry = FinishedRequest & Pick<LoggedRequest, 'id' | 'created_at'>;

const FLUSH_INTERVAL_MS = 1_000;
const ENTRIES_MAX = 10_000;
/** Events that wait for the broker at the same time: many tenants do not wait for each other. */
const PUBLISHES_MAX = 32;
const PATH_CHARACTERS_MAX = 1_024;

export class RequestLog {
  private entries: Entry[] = [];
  private flushing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  private readonly dropped: ReturnType<Metrics['counter']>;

  constructor(private readonly parts: RequestLogParts) {
    this.dropped = parts.metrics.counter(
      'kiln_request_log_dropped_total',
      'Request log entries given up because the bus was away for too long',
    );
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
    this.timer.unref();
  }

  /** Sends the remaining entries. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.flush(); // Entries that were added during an earlier flush.
  }

  add(request: FinishedRequest): void {
    const path = request.path.slice(0, PATH_CHARACTERS_MAX);
    const entry = { ...request, path, id: encodeId('log', uuidv7()), created_at: new Date().toISOString() };
    this.entries.push(entry);
    this.bound();
  }

  /** Resolves when the collected entries were sent, or were put back because sending failed. Never rejects. */
  flush(): Promise<void> {
    this.flushing ??= this.send().finally(() => (this.flushing = null));
    return this.flushing;
  }

  private async send(): Promise<void> {
    const entries = this.entries.splice(0);
    if (entries.length === 0) return;
    let unsent: Entry[] = entries;
    try {
      const byTenant = await this.byTenant(entries);
      unsent = [];
      const batches = [...byTenant].flatMap(([tenantId, all]) =>
        partsOf(all, LOGGED_REQUESTS_MAX).map((batch) => ({ tenantId, entries: batch })),
      );
      unsent = (await mapAtATime(PUBLISHES_MAX, batches, (batch) => this.sendBatch(batch))).flat();
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'Sending the request log failed; it will be retried');
    }
    this.entries.unshift(...unsent);
    this.bound();
  }

  /** Returns the entries that the broker did not accept. */
  private async sendBatch({ tenantId, entries }: Batch): Promise<Entry[]> {
    try {
      const definition = gatewayEvents.requestsLogged;
      const data = { requests: entries.map(loggedRequest) };
      await this.parts.publisher.publish({ definition, tenantId, subject: 'api-requests', data });
      return [];
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'Sending the request log failed; it will be retried');
      return entries.map(({ entry }) => entry);
    }
  }

  private async byTenant(entries: Entry[]): Promise<Map<string, Identified[]>> {
    const known = await this.knownKeys(entries);
    const byTenant = new Map<string, Identified[]>();
    for (const entry of entries) {
      const { requester } = entry;
      const who = 'keyHash' in requester ? known.get(requester.keyHash.toString('hex')) : requester;
      if (!who) continue; // An unknown key.
      const batch = byTenant.get(who.tenantId) ?? [];
      batch.push({ entry, who });
      byTenant.set(who.tenantId, batch);
    }
    return byTenant;
  }

  private async knownKeys(entries: Entry[]): Promise<Map<string, Requester>> {
    const hashes = new Map<string, Buffer>();
    for (const { requester } of entries) {
      if ('keyHash' in requester) hashes.set(requester.keyHash.toString('hex'), requester.keyHash);
    }
    if (hashes.size === 0) return new Map();
    const keys = await this.parts.keys.findKnown([...hashes.values()]);
    return new Map(keys.map(({ hash, requester }) => [hash.toString('hex'), requester]));
  }

  private bound(): void {
    const surplus = this.entries.length - ENTRIES_MAX;
    if (surplus <= 0) return;
    this.entries.splice(0, surplus);
    this.dropped.add(surplus);
  }
}

interface Identified {
  entry: Entry;
  who: Requester;
}

interface Batch {
  tenantId: string;
  entries: Identified[];
}

function loggedRequest({ entry, who }: Identified): LoggedRequest {
  const { requester: _requester, ...request } = entry;
  return { ...request, auth_type: who.authType, key_name: who.keyName };
}
