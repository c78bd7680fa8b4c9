// POST with an Idempotency-Key: the first answer is kept, a repeat gets it again, and nothing is done twice at once.
import { conflict, type CodedError } from '@kiln/contracts';
import type { Logger, Sealer } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { Reply } from '../routes/reply.js';
import { hashOfKey } from './idempotency-key.js';
import { RENEW_INTERVAL_MS, type IdempotencyStore, type KeyedRequest } from './idempotency.store.js';
import { answerOfText, textOfAnswer, textOfError } from './kept-answer.js';
import { openAnswer, sealAnswer } from './sealed-answers.js';

const SWEEP_INTERVAL_MS = 60_000;

export interface KeyedWork {
  key: string;
  tenantId: string;
  /** Name of the row in the route table. */
  route: string;
  /** Does what the request asks for. */
  run: () => Promise<unknown>;
  /** Digest of the request; asked when `run` has ended, or instead of it, to compare a repeat with the first. */
  fingerprint: (when: 'after run' | 'instead of run') => Promise<Buffer | null> | Buffer | null;
  /** Called before a kept answer is given. */
  onReplay: () => void;
}

export class Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  /** Begins to remove, now and then, rows that have ended. */
  start(): void {
    setInterval(() => void this.quietly(this.store.sweep()), SWEEP_INTERVAL_MS).unref();
  }

  /** What `run` answers or throws; or the kept answer; or CONFLICT for another body, or while the first is under way. */
  async answer(work: KeyedWork): Promise<unknown> {
    const { key, tenantId, route } = work;
    const request: KeyedRequest = { tenantId, route, keyHash: hashOfKey(key), owner: uuidv7() };
    const claim = await this.store.claim(request);
    if (claim.outcome === 'owned') return this.run(work, request);
    if (claim.outcome === 'under way') throw underWay();
    return this.replay(work, request, claim.answer);
  }

  private async replay(work: KeyedWork, request: KeyedRequest, answer: Buffer): Promise<Reply> {
    const kept = openAnswer(this.sealer, request, answer);
    if (!kept) {
      this.logger.error('a kept answer does not open: KILN_ENCRYPTION_KEY lacks its key');
      throw unreadable();
    }
    const fingerprint = await work.fingerprint('instead of run');
    if (!fingerprint?.equals(kept.fingerprint)) throw otherRequest();
    work.onReplay();
    return answerOfText(kept.text);
  }

  private async run(work: KeyedWork, request: KeyedRequest): Promise<unknown> {
    const renewal = setInterval(() => void this.quietly(this.store.renew(request)), RENEW_INTERVAL_MS);
    try {
      const answer = await work.run();
      await this.settle(work, request, textOfAnswer(answer));
      return answer;
    } catch (error) {
      await this.settle(work, request, textOfError(error));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** The work is done: whatever goes wrong here must not change its answer. */
  private async settle(work: KeyedWork, request: KeyedRequest, text: string | null): Promise<void> {
    const fingerprint = text === null ? null : await work.fingerprint('after run');
    if (text === null || fingerprint === null) return this.quietly(this.store.release(request));
    return this.quietly(this.store.keep(request, sealAnswer(this.sealer, request, { fingerprint, text })));
  }

  private async quietly(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.logger.warn({ err: error }, 'idempotency row not written'));
  }
}

const underWay = (): CodedError =>
  conflict('A request with this Idempotency-Key is under way. Repeat it once that has ended.');
const otherRequest = (): CodedError =>
  conflict('This Idempotency-Key was used with another body. Use a new key for a new request.');
const unreadable = (): CodedError =>
  conflict(
    'The first request with this Idempotency-Key has been done, but its answer can no longer be read. ' +
      'Look at what it made before you repeat it with a new key.',
  );
