// A circuit breaker for a remote engine. After consecutive failures it opens, and requests fail without being sent. After a delay, one request
// at a time probes the engine. Each failed probe doubles the delay.
export interface CircuitOptions {
  /** Consecutive failures that open the circuit. Default 5. */
  failuresMax?: number;
  /** The first delay in milliseconds. Default 5,000. It doubles up to two minutes while probes fail. */
  openMs?: number;
  /** Milliseconds that only go up; replaced in tests. */
  now?: () => number;
}

export type CircuitState = 'closed' | 'half-open' | 'open';

const OPEN_MS_MAX = 120_000;

export class EngineCircuit {
  private readonly failuresMax: number;
  private readonly openMs: number;
  private readonly now: () => number;
  private failures = 0;
  private openedMs = 0;
  private openUntil = 0;
  private isProbing = false;
  private answeredAt = -Infinity;

  constructor({ failuresMax = 5, openMs = 5_000, now = () => performance.now() }: CircuitOptions = {}) {
    this.failuresMax = failuresMax;
    this.openMs = openMs;
    this.now = now;
  }

  get state(): CircuitState {
    if (this.failures < this.failuresMax) return 'closed';
    return this.now() < this.openUntil ? 'open' : 'half-open';
  }

  /** Milliseconds until the next request is allowed. 0 when it is allowed now. */
  get closedForMs(): number {
    if (this.failures < this.failuresMax) return 0;
    const restMs = Math.max(0, this.openUntil - this.now());
    return this.isProbing ? Math.max(restMs, this.openMs) : restMs;
  }

  /** Call only when `closedForMs` is 0. Exactly one of the answer's methods is to be called in the end. */
  begin(): { answered: () => void; failed: () => void; gaveUp: () => void } {
    const isProbe = this.state === 'half-open';
    const startedAt = this.now();
    if (isProbe) this.isProbing = true;
    const end = (finish: () => void) => () => {
      if (isProbe) this.isProbing = false;
      finish();
    };
    return {
      answered: end(() => {
        this.failures = 0;
        this.openedMs = 0;
        this.answeredAt = this.now();
      }),
      failed: end(() => this.fail(startedAt, isProbe)),
      gaveUp: end(() => {}),
    };
  }

  /** A request that failed while others succeeded indicates a problem of one document, not of the engine. */
  private fail(startedAt: number, isProbe: boolean): void {
    if (this.answeredAt > startedAt) return;
    this.failures++;
    if (!isProbe && this.failures !== this.failuresMax) return;
    this.openedMs = Math.min(OPEN_MS_MAX, this.openedMs === 0 ? this.openMs : this.openedMs * 2);
    this.openUntil = this.now() + this.openedMs;
  }
}
