// Limits calls to buckets while a caller waits. Each tenant has a maximum number of concurrent calls, and a call ends before the caller's
// deadline.
import { CodedError, type CallContext } from '@kiln/contracts';
import { within } from '@kiln/resilience';
import { BucketError } from './domain/bucket-error.js';
import { TenantSlots } from './domain/tenant-slots.js';

const SLOTS_PER_TENANT = 8;
/** Time reserved for the reply when a bucket is too slow. */
const ANSWER_MS = 250;

export class BucketCallLimiter {
  private readonly slots: TenantSlots;

  constructor(
    readonly requestTimeoutMs: number,
    private readonly slotsPerTenant = SLOTS_PER_TENANT,
  ) {
    this.slots = new TenantSlots(slotsPerTenant);
  }

  /** Throws RATE_LIMITED when too many calls of the tenant are running, and BucketError when the call takes too long. */
  async run<Result>({ tenantId, deadlineAt }: CallContext, call: () => Promise<Result>): Promise<Result> {
    if (!this.slots.take(tenantId)) {
      const message = `${this.slotsPerTenant} calls to your buckets are running already. Retry when one of them has ended.`;
      throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    // A call that exceeds the deadline keeps its slot until it ends.
    const answer = call().finally(() => this.slots.release(tenantId));
    return within(deadlineAt - ANSWER_MS - Date.now(), answer, () => {
      throw new BucketError('timeout', 'The provider did not answer in time.', { retryable: true });
    });
  }
}
