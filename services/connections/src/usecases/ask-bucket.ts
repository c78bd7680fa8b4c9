// What every request to a connected bucket has in common while a caller waits for the answer: few at a time for one tenant, and an
// end before the caller's deadline.
import { CodedError, type CallContext } from '@kiln/contracts';
import { BucketError } from '../domain/bucket-error.js';
import { TenantSlots } from '../domain/tenant-slots.js';

const SLOTS_PER_TENANT = 8;
/** For the answer about a bucket that was too slow. */
const ANSWER_MS = 250;

export class BucketQuestions {
  private readonly slots: TenantSlots;

  constructor(
    readonly requestTimeoutMs: number,
    private readonly slotsPerTenant = SLOTS_PER_TENANT,
  ) {
    this.slots = new TenantSlots(slotsPerTenant);
  }

  /** Throws RATE_LIMITED when the tenant waits for too many answers already, BucketError when the answer takes too long. */
  async ask<Result>({ tenantId, deadlineAt }: CallContext, question: () => Promise<Result>): Promise<Result> {
    if (!this.slots.take(tenantId)) {
      const message = `You are waiting for ${this.slotsPerTenant} answers of your buckets already. Retry when one is there.`;
      throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    // A question that nobody waits for any more still takes its slot until it ends.
    const answer = question().finally(() => this.slots.release(tenantId));
    return withinDeadline(answer, deadlineAt - ANSWER_MS - Date.now());
  }
}

async function withinDeadline<Result>(answer: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = () => new BucketError('timeout', 'The provider did not answer in time.', { retryable: true });
    timer = setTimeout(() => reject(error()), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
