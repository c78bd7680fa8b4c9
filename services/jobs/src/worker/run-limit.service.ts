// How many jobs a worker runs at a time: as configured, and more while runs end immediately. The limit increases additively and decreases
// multiplicatively, like TCP's congestion window (RFC 5681).

/** A run that takes less found all steps completed, because an earlier worker died between the last step and the completion. */
const QUICK_RUN_MS = 5;
const LIMIT_MAX = 128;
const SHRINK = 0.75;

export class RunLimit {
  private limit: number;

  constructor(private readonly configured: number) {
    this.limit = configured;
  }

  get current(): number {
    return Math.floor(this.limit);
  }

  onRunCompleted(milliseconds: number): void {
    if (milliseconds >= QUICK_RUN_MS) this.shrink();
    else this.limit = Math.max(this.configured, Math.min(this.limit + 1, LIMIT_MAX));
  }

  /** The cause of a failure may affect all runs: more runs at a time would only fail faster. */
  onRunFailed(): void {
    this.shrink();
  }

  private shrink(): void {
    this.limit = Math.max(this.configured, this.limit * SHRINK);
  }
}
