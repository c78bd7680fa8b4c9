// The token of this page, in memory only. It can be replaced at any time; the server says whether a token is valid.
import type { Schemas } from '@kiln/sdk';
import { isToken } from './messages.js';

type Verified = Schemas['VerifyPortalTokenResponse'];

export type SessionState =
  | { kind: 'none' }
  | { kind: 'checking' }
  | { kind: 'open'; space: string }
  /** `refused`: mistyped, revoked, or expired before this page has seen it. */
  | { kind: 'ended'; reason: 'expired' | 'refused' };

interface SessionParts {
  /** Rejects if the server does not answer. */
  verify: (token: string) => Promise<Verified>;
  /** The clock of the server, in milliseconds. */
  now: () => number;
  onExpiring: (expiresAt: Date) => void;
  onEnd: () => void;
}

/** A token that lives longer is announced as expiring so long before; any other at half of its time. */
const NOTICE_MS = 60_000;
const CHECK_AGAIN_MS = 3_000;

export class Session {
  state: SessionState = { kind: 'none' };
  #token = '';
  #expiresAtMs = Infinity;
  /** The number of the latest token that was offered. An earlier one does not replace a later one. */
  #offers = 0;
  /** Whether `onEnd` was called since a session was open: who offers a token for each call must not be asked without end. */
  #isEndKnown = false;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly parts: SessionParts) {}

  get token(): string {
    return this.#token;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes the token if it is valid. Otherwise an open session stays as it is. */
  async offer(token: string): Promise<void> {
    const offer = (this.#offers += 1);
    if (this.state.kind !== 'open') this.#change({ kind: 'checking' });
    const verified = isToken(token) ? await this.#verify(token, offer) : null;
    if (offer !== this.#offers) return;
    if (verified?.valid) this.#open(token, verified);
    else if (this.state.kind !== 'open') this.#end('refused');
  }

  /** After a refused request: asks whether the token is still valid. */
  async recheck(): Promise<boolean> {
    if (this.state.kind !== 'open') return false;
    const offer = this.#offers;
    const verified = await this.#verify(this.#token, offer);
    // Another token has arrived in the meantime.
    if (offer !== this.#offers) return this.state.kind === 'open';
    if (!verified?.valid) this.#end(this.parts.now() >= this.#expiresAtMs ? 'expired' : 'refused');
    return verified?.valid === true;
  }

  /** Repeats until the server answers. Null if another token is offered meanwhile. */
  async #verify(token: string, offer: number): Promise<Verified | null> {
    for (;;) {
      try {
        return await this.parts.verify(token);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, CHECK_AGAIN_MS));
        if (offer !== this.#offers) return null;
      }
    }
  }

  #open(token: string, { space, expires_at: expiresAt }: Verified): void {
    this.#token = token;
    this.#expiresAtMs = Date.parse(`${(expiresAt ?? '').replace(' ', 'T')}Z`);
    this.#isEndKnown = false;
    this.#stopTimers();
    const leftMs = Math.max(0, this.#expiresAtMs - this.parts.now());
    this.#after(leftMs - Math.min(NOTICE_MS, leftMs / 2), () => this.parts.onExpiring(new Date(this.#expiresAtMs)));
    this.#after(leftMs, () => this.#end('expired'));
    this.#change({ kind: 'open', space: space ?? '' });
  }

  #end(reason: 'expired' | 'refused'): void {
    this.#stopTimers();
    this.#token = '';
    this.#change({ kind: 'ended', reason });
    if (this.#isEndKnown) return;
    this.#isEndKnown = true;
    this.parts.onEnd();
  }

  #after(milliseconds: number, act: () => void): void {
    this.#timers.add(setTimeout(act, milliseconds));
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #change(state: SessionState): void {
    this.state = state;
    for (const listener of this.#listeners) listener();
  }
}
