// Guards a POST with an Idempotency-Key: it keeps the first answer and returns it to repeats, and the work never runs twice at
// the same time.
import { CodedError, conflict } from '@kiln/contracts';
import type { Logger, Sealer } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Reply } from '../routes/reply.domain.js';
import { hashOfKey } from './idempotency-key.domain.js';
import { LEASE_SECONDS, RENEW_INTERVAL_MS, type IdempotencyStore, type KeyedRequest } from './idempotency.store.js';
import { ReusedKey } from './reused-key.domain.js';
import { responseOfText, textOfResponse, textOfError } from './stored-response.domain.js';
import type { RequestIds } from './request-ids.domain.js';
import { openResponse, sealResponse } from './sealed-responses.service.js';

/** Most requests have ended by then. */
const STILL_RUNNING_SECONDS = 2;
const REPEAT_MS = 500;

export interface IdempotentRequest {
  key: string;
  tenantId: string;
  /** Name of the row in the route table. */
  route: string;
  /** Performs the request. */
  run: (ids: RequestIds) => Promise<unknown>;
  /** Returns the digest of the request. It is called after `run`, or instead of it to compare a repeat with the first request. */
  fingerprint: (when: 'after run' | 'instead of run') => Promise<Buffer | null> | Buffer | null;
  /** Is called before a kept answer is returned. */
  onReplay: () => void;
}

export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  /** Returns or throws what `run` does, or the kept answer. Throws CONFLICT for another body, or while the first request is running. */
  async answer(work: IdempotentRequest): Promise<unknown> {
    const { key, tenantId, route } = work;
    const request: KeyedRequest = { tenantId, route, keyHash: hashOfKey(key), owner: uuidv7() };
    const claim = await this.store.claim(request);
    if (claim.outcome === 'owned') return this.run(work, request, claim.ids);
    if (claim.outcome === 'running') throw stillRunning();
    return this.replay(work, request, claim.answer);
  }

  private async replay(work: IdempotentRequest, request: KeyedRequest, answer: Buffer): Promise<Reply> {
    const kept = openResponse(this.sealer, request, answer);
    if (!kept) {
      this.logger.error('Opening a kept answer failed: KILN_ENCRYPTION_KEY lacks its key');
      throw unreadable();
    }
    const fingerprint = await work.fingerprint('instead of run');
    if (!fingerprint?.equals(kept.fingerprint)) throw new ReusedKey('body');
    work.onReplay();
    return responseOfText(kept.text);
  }

  private async run(work: IdempotentRequest, request: KeyedRequest, ids: RequestIds): Promise<unknown> {
    const renewal = setInterval(() => void this.quietly(() => this.store.renew(request)), RENEW_INTERVAL_MS);
    try {
      const answer = await work.run(ids);
      await this.finish(work, request, textOfResponse(answer));
      return answer;
    } catch (error) {
      await this.finish(work, request, textOfError(error));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Keeps the answer or releases the key. The work is done, so a failure here must not change its answer. */
  private async finish(work: IdempotentRequest, request: KeyedRequest, text: string | null): Promise<void> {
    const fingerprint = text === null ? null : await work.fingerprint('after run');
    const answer =
      text === null || fingerprint === null ? null : sealResponse(this.sealer, request, { fingerprint, text });
    const write = () => (answer === null ? this.store.release(request) : this.store.keep(request, answer));
    if (!(await this.quietly(write))) void this.repeat(write);
  }

  /** Without it, repeats of the request would be refused until its lease ends, also when the database is back earlier. */
  private async repeat(write: () => Promise<void>): Promise<void> {
    const until = performance.now() + LEASE_SECONDS * 1_000;
    while (performance.now() < until) {
      await delay(REPEAT_MS, undefined, { ref: false });
      if (await write().then(() => true, isPermanent)) return;
    }
  }

  /** Returns whether the write has succeeded. */
  private async quietly(write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'Writing an idempotency row failed');
      return false;
    }
  }
}

const isPermanent = (error: unknown): boolean => !(error instanceof CodedError && error.code === 'UNAVAILABLE');

const stillRunning = (): CodedError =>
  new CodedError(
    'CONFLICT',
    'A request with this Idempotency-Key is still running. Repeat it once that request has ended.',
    { retryAfterSeconds: STILL_RUNNING_SECONDS },
  );
const unreadable = (): CodedError =>
  conflict(
    'The first request with this Idempotency-Key has been done, but its answer can no longer be read. ' +
      'Look at what it made before you repeat it with a new key.',
  );
