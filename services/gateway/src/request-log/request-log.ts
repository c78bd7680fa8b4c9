// Tells, off the request path, what authenticated callers asked: entries gather here and go out in batches, an event per
// tenant. Adding one never waits and never fails; when the bus is away longer than the buffer lasts, the oldest are dropped
// and counted.
import { encodeId, LOGGED_REQUESTS_MAX, type LoggedRequest } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';

export interface Requester {
  tenantId: string;
  authType: LoggedRequest['auth_type'];
  keyName: string;
}

export interface KnownKey {
  hash: Buffer;
  requester: Requester;
}

export interface FinishedRequest extends Omit<LoggedRequest, 'id' | 'auth_type' | 'key_name' | 'created_at'> {
  /** Whoever was let in; or the hash of the key that was refused, which may yet be one we know. */
  requester: Requester | { keyHash: Buffer };
}

export interface RequestLogParts {
  /** Who the keys with these hashes belong to, revoked and expired ones included. */
  findKeys: (hashes: Buffer[]) => Promise<KnownKey[]>;
  /** Resolves once the broker has the event. */
  publish: (tenantId: string, requests: LoggedRequest[]) => Promise<void>;
  onDropped: (entries: number) => void;
  logger: Logger;
}

type Entry = FinishedRequest & Pick<LoggedRequest, 'id' | 'created_at'>;

const FLUSH_INTERVAL_MS = 1_000;
const ENTRIES_MAX = 10_000;
const PATH_CHARACTERS_MAX = 1_024;

export class RequestLog {
  private entries: Entry[] = [];
  private flushing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: RequestLogParts) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
    this.timer.unref();
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.flush(); // What was added while an earlier flush was under way.
  }

  add(request: FinishedRequest): void {
    const path = request.path.slice(0, PATH_CHARACTERS_MAX);
    const entry = { ...request, path, id: encodeId('log', uuidv7()), created_at: new Date().toISOString() };
    this.entries.push(entry);
    this.bound();
  }

  /** Resolves when what was gathered has been sent, or put back because it could not be. Never rejects. */
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
      for (const [tenantId, batch] of byTenant) unsent.push(...(await this.sendBatches(tenantId, batch)));
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'request log not sent yet');
    }
    this.entries.unshift(...unsent);
    this.bound();
  }

  /** Answers the entries that the broker did not take. */
  private async sendBatches(tenantId: string, batch: Identified[]): Promise<Entry[]> {
    const unsent: Entry[] = [];
    for (let from = 0; from < batch.length; from += LOGGED_REQUESTS_MAX) {
      const part = batch.slice(from, from + LOGGED_REQUESTS_MAX);
      try {
        await this.parts.publish(tenantId, part.map(loggedRequest));
      } catch (error) {
        this.parts.logger.warn({ err: error }, 'request log not sent yet');
        unsent.push(...part.map(({ entry }) => entry));
      }
    }
    return unsent;
  }

  private async byTenant(entries: Entry[]): Promise<Map<string, Identified[]>> {
    const known = await this.knownKeys(entries);
    const byTenant = new Map<string, Identified[]>();
    for (const entry of entries) {
      const { requester } = entry;
      const who = 'keyHash' in requester ? known.get(requester.keyHash.toString('hex')) : requester;
      if (!who) continue; // Nobody's key.
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
    const keys = await this.parts.findKeys([...hashes.values()]);
    return new Map(keys.map(({ hash, requester }) => [hash.toString('hex'), requester]));
  }

  private bound(): void {
    const surplus = this.entries.length - ENTRIES_MAX;
    if (surplus <= 0) return;
    this.entries.splice(0, surplus);
    this.parts.onDropped(surplus);
  }
}

interface Identified {
  entry: Entry;
  who: Requester;
}

function loggedRequest({ entry, who }: Identified): LoggedRequest {
  const { requester: _requester, ...request } = entry;
  return { ...request, auth_type: who.authType, key_name: who.keyName };
}
