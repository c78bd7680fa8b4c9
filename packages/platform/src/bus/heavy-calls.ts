// Calls with much input, or much to do, wait for a place before their input is read. One tenant's heavy calls then fill neither the
// memory nor the time of the process: they wait behind each other, other tenants' calls pass them, and they pause for those.
import { unavailable } from '@kiln/contracts';
import { TenantPauses } from '../service/tenant-pauses.js';
import { RunningCall } from './current-call.js';
import { FairPlaces } from './fair-places.js';

/** The most that a process works on at a time. A tenant alone gets half: two calls of the largest size. */
const WEIGHT_MAX = 512;
const UNIT_BYTES = 8_192;

/** 0 for a message that is not worth waiting for. */
export const weightOfBytes = (bytes: number): number => (bytes <= UNIT_BYTES ? 0 : Math.ceil(bytes / UNIT_BYTES));

export class HeavyCalls {
  private readonly places = new FairPlaces(WEIGHT_MAX);

  constructor(private readonly pauses = new TenantPauses()) {}

  begin(tenantId: string): RunningCall {
    this.pauses.record(tenantId);
    return new RunningCall(tenantId);
  }

  /** Starts `work` at once if the weight is 0, otherwise when the tenant has a place. Throws UNAVAILABLE if the call is over before that. */
  async run<Result>(call: RunningCall, weight: number, work: () => Promise<Result>): Promise<Result> {
    if (weight === 0) return work();
    await this.places.enter(call.tenantId, weight, (giveUp) =>
      call.onOver(() => giveUp(unavailable('The service', new Error('no place was free before the deadline')))),
    );
    call.pauseWith(this.pauses);
    try {
      return await work();
    } finally {
      this.places.release(call.tenantId, weight);
    }
  }
}
