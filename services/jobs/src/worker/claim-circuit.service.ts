// Stops the claims of a worker that cannot process files: after some runs in a row that failed by a system fault (no disk space, no
// extractor) or because a part of Kiln was unavailable, it claims nothing for a while, and then one job at a time until a run completes.
import { CodedError } from '@kiln/contracts';
import { isSystemFault } from '@kiln/extraction';
import { isUnheard, type Logger } from '@kiln/platform';
import { CircuitBreaker, type GuardedCall } from '@kiln/resilience';
import { StorageError } from '@kiln/storage';

const FAULTS_MAX = 3;
/** An attempt costs one run, so the end of an outage is noticed early. */
const PAUSE_MS = { openMs: 5_000, openMsMax: 15_000 };

/** A service that itself answers UNAVAILABLE does not count: it may refuse one tenant only, which must not stop the jobs of the others. */
function isPartUnavailable(thrown: unknown): boolean {
  // A call that was aborted is not retryable, and shows nothing about the store.
  if (thrown instanceof StorageError && thrown.code === 'unavailable') return thrown.retryable;
  if (thrown instanceof StorageError) return thrown.code === 'access_denied';
  return thrown instanceof CodedError && thrown.code === 'UNAVAILABLE' && isUnheard(thrown);
}

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

  /** How many jobs may be claimed when `free` runs can begin. */
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
    if (!isSystemFault(thrown) && !isPartUnavailable(thrown)) return run.abandoned();
    const wasClosed = this.isClosed;
    run.failed();
    if (wasClosed && !this.isClosed) {
      this.logger.error(
        { err: thrown },
        'Runs in a row failed because the machine or a part of Kiln did: this worker claims no jobs until one of its runs completes',
      );
    }
  }
}
