// Every organization has two tenants, its live and its test plane. What belongs to the organization itself is kept under the
// live one; a tenant that was never called a test plane is a live one.
import { z } from 'zod';
import { operation } from '../core/operation.js';

export const testTenantsOperations = {
  /** Says that the tenant that asks is the test plane of another. Always true once said. */
  linkTestTenant: operation({
    subject: 'jobs.linkTestTenant.v1',
    input: z.object({ live_tenant_id: z.uuid() }),
    output: z.object({}),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};
