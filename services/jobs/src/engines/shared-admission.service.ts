// Shared admission: the admission control of an engine over all workers. Within this process, a request waits in a bulkhead for a slot; then the
// row of the engine decides. A request renews its slot while it works, so the slots of a worker that has died become free.
import {
  CircuitOpenError,
  type CallOutcome,
  type EngineAdmission,
  type AdmittedCall,
} from '@kiln/model-clients/admission/engine-admission';
import { Bulkhead, NoRoomError } from '@kiln/model-clients/admission/bulkhead';
import { pause } from '@kiln/resilience';
import type { Logger } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { admit, CALL_LEASE_MS, end, renew, type EngineLimitSettings } from './engine-state.domain.js';
import type { EngineStore } from './engine.store.js';

export interface SharedAdmissionOptions extends EngineLimitSettings {
  /** The key of the engine's row. */
  engine: string;
  store: EngineStore;
  /** How many milliseconds a request may wait for a free slot. */
  patienceMs: number;
  logger: Pick<Logger, 'warn'>;
}

/** How often a waiting request looks whether a request of another worker has ended. */
const LOOK_MS = 500;
/** When a slot will be free is unknown: requests retry after this time. */
const UNKNOWN_WAIT_MS = 2_000;
const RENEWALS_PER_LEASE = 3;

export class SharedAdmission implements EngineAdmission {
  private readonly bulkhead: Bulkhead;
  private readonly underWay = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: SharedAdmissionOptions) {
    this.bulkhead = new Bulkhead({ concurrency: options.concurrency });
  }

  async enter(signal: AbortSignal): Promise<AdmittedCall> {
    const until = performance.now() + this.options.patienceMs;
    const leave = await this.bulkhead.enter(this.options.patienceMs, signal);
    const callId = uuidv7();
    try {
      await this.beAdmitted(callId, until, signal);
    } catch (error) {
      leave();
      throw error;
    }
    this.hold(callId);
    return {
      end: async (outcome) => {
        this.underWay.delete(callId);
        await this.end(callId, outcome);
        leave();
      },
    };
  }

  private async beAdmitted(callId: string, until: number, signal: AbortSignal): Promise<void> {
    const { store, engine } = this.options;
    for (;;) {
      const admission = await store.change(engine, (state, now) => {
        const admitted = admit(state, callId, now, this.options);
        return { state: admitted.state, result: admitted.admission };
      });
      if (admission.kind === 'admitted') return;
      if (admission.kind === 'open') throw new CircuitOpenError(admission.afterMs);
      const { afterMs } = admission;
      if (performance.now() + (afterMs ?? LOOK_MS) > until) throw new NoRoomError(afterMs ?? UNKNOWN_WAIT_MS);
      await pause(afterMs ?? LOOK_MS, signal);
    }
  }

  /** Never fails. If the database is unavailable, the slot becomes free when it is not renewed. */
  private async end(callId: string, outcome: CallOutcome): Promise<void> {
    const { store, engine, logger } = this.options;
    try {
      await store.change(engine, (state, now) => ({
        state: end(state, callId, now, outcome, this.options),
        result: undefined,
      }));
    } catch (error) {
      logger.warn({ err: error }, 'The end of a request to an engine was not recorded');
    }
  }

  private hold(callId: string): void {
    this.underWay.add(callId);
    this.timer ??= setInterval(() => void this.renewAll(), CALL_LEASE_MS / RENEWALS_PER_LEASE).unref();
  }

  private async renewAll(): Promise<void> {
    const { store, engine, logger } = this.options;
    const calls = [...this.underWay];
    if (calls.length === 0) {
      if (this.timer) clearInterval(this.timer);
      this.timer = null;
      return;
    }
    try {
      await store.change(engine, (state, now) => ({ state: renew(state, calls, now), result: undefined }));
    } catch (error) {
      logger.warn({ err: error }, 'Requests to an engine could not be renewed');
    }
  }
}
