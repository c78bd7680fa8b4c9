// What every question to somebody else's store has in common, when a caller waits for the answer.
import { CodedError } from '@kiln/contracts';
import { TenantSlots } from '../domain/tenant-slots.js';

const SLOTS_PER_TENANT = 8;

export class BucketQuestions {
  private readonly slots = new TenantSlots(SLOTS_PER_TENANT);

  constructor(readonly requestTimeoutMs: number) {}

  /** Throws RATE_LIMITED when the tenant waits for too many stores already. */
  async ask<Result>(tenantId: string, question: () => Promise<Result>): Promise<Result> {
    if (!this.slots.take(tenantId)) {
      const message = `You are waiting for ${SLOTS_PER_TENANT} answers of your buckets already. Retry when one is there.`;
      throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    try {
      return await question();
    } finally {
      this.slots.release(tenantId);
    }
  }
}
