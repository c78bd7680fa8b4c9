// Stops the claims of a worker that cannot process files: after some runs in a row that failed by a system fault (no disk space, no
// extractor) it claims nothing for a while, and then one job at a time until a run completes.
import { isSystemFault } from '@kiln/extraction';
import type { Logger } from '@kiln/platform';
import { CircuitBreaker, type GuardedCall } from '@kiln/resilience';

const FAULTS_MAX = 3;
const PAUSE_MS = { openMs: 5_000, openMsMax: 60_000 };

export class ClaimCircuit {
  private readonly circuit: CircuitBreaker;

  constructor(
    private readonly logger: Pick<Logger, 'error'>,
    now?: () => number,
  ) {
    this.circuit = new CircuitBreaker({ failuresMax: FAULTS_MAX, ...PAUSE_MS, ...(now && { now }) });
  }

  get isClosed(): boolean {
    return this.circuit.state === 'closed';
  }

  /** Milliseconds until a job may be claimed. 0: now. */
  get waitMs(): number {
    return this.circuit.waitMs;
  }

  /** How many jobs may be claimed when there is room for `free`. */
  limit(free: number): number {
    if (this.circuit.waitMs > 0) return 0;
    return this.isClosed ? free : Math.min(free, 1);
  }

  /** Call it for each run that begins. */
  begin(): GuardedCall {
    return this.circuit.begin();
  }

  /** The run has failed. Other faults show nothing about the machine. */
  onFailure(run: GuardedCall, thrown: unknown): void {
    if (!isSystemFault(thrown)) return run.abandoned();
    const wasClosed = this.isClosed;
    run.failed();
    if (wasClosed && !this.isClosed) {
      this.logger.error(
        { err: thrown },
        'System faults in a row: this worker claims no jobs until one of its runs completes',
      );
    }
  }
}
