// A circuit breaker. After failures in a row the circuit opens and no more calls are made, until a probe succeeds. The probe is a single call
// after a wait, which grows while probes fail. With a `ping`, pings probe instead, and the circuit opens only if a ping fails, too.
import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from './backoff.js';

export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit, or that lead to a ping. */
  failuresMax: number;
  /** Milliseconds until the next probe. It doubles with each probe that fails, up to `openMsMax`. */
  openMs: number;
  /** Default: `openMs`. */
  openMsMax?: number;
  /** Whether the other side lives, whatever happens to its calls. Must not throw. */
  ping?: () => Promise<boolean>;
  /** Milliseconds that only go up; replaced in tests. */
  now?: () => number;
}

/** `half-open`: one call may begin, which is the probe. */
export type CircuitState = 'closed' | 'half-open' | 'open';

/** A call that has begun. Exactly one of the methods is to be called when it has ended. */
export interface GuardedCall {
  succeeded: () => void;
  failed: () => void;
  /** It ended without showing whether the other side works. */
  abandoned: () => void;
}

export class CircuitBreaker {
  private readonly failuresMax: number;
  private readonly openMs: number;
  private readonly openMsMax: number;
  private readonly ping: (() => Promise<boolean>) | undefined;
  private readonly now: () => number;
  private failuresInARow = 0;
  private succeededAt = -Infinity;
  /** How often it has opened since it was closed. */
  private timesOpened = 0;
  private openUntil = 0;
  private isProbing = false;

  constructor({ failuresMax, openMs, openMsMax = openMs, ping, now = () => performance.now() }: CircuitBreakerOptions) {
    this.failuresMax = failuresMax;
    this.openMs = openMs;
    this.openMsMax = openMsMax;
    this.ping = ping;
    this.now = now;
  }

  get state(): CircuitState {
    if (this.timesOpened === 0) return 'closed';
    return this.ping || this.now() < this.openUntil ? 'open' : 'half-open';
  }

  /** Milliseconds until a call may begin. 0: now. */
  get waitMs(): number {
    if (this.timesOpened === 0) return 0;
    const restMs = Math.max(0, this.openUntil - this.now());
    return this.isProbing ? Math.max(restMs, this.openMs) : restMs;
  }

  /** Only when `waitMs` is 0. */
  begin(): GuardedCall {
    const isProbe = this.state === 'half-open';
    const startedAt = this.now();
    if (isProbe) this.isProbing = true;
    const end = (record: () => void) => () => {
      if (isProbe) this.isProbing = false;
      record();
    };
    return {
      succeeded: end(() => this.close()),
      failed: end(() => this.fail(startedAt, isProbe)),
      abandoned: end(() => undefined),
    };
  }

  private close(): void {
    this.failuresInARow = 0;
    this.timesOpened = 0;
    this.succeededAt = this.now();
  }

  private fail(startedAt: number, isProbe: boolean): void {
    // Others succeeded meanwhile: this call is at fault, not the other side.
    if (this.succeededAt > startedAt) return;
    this.failuresInARow++;
    if (this.ping) {
      if (this.failuresInARow >= this.failuresMax && !this.isProbing) void this.probeBy(this.ping);
    } else if (isProbe || this.failuresInARow === this.failuresMax) this.open();
  }

  private open(): void {
    this.openUntil = this.now() + backoff({ first: this.openMs, max: this.openMsMax }, this.timesOpened);
    this.timesOpened++;
  }

  private async probeBy(ping: () => Promise<boolean>): Promise<void> {
    this.isProbing = true;
    while (!(await ping())) {
      this.open();
      await delay(this.openUntil - this.now(), undefined, { ref: false });
    }
    this.isProbing = false;
    this.close();
  }
}
