import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, jobsOperations, unavailable, type CallContext, type Operation } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import type { KeyCaller } from '../auth/caller.domain.js';
import { planNodesSchema } from './plan-nodes.config.js';
import { planPagesSchema } from './plan-pages.config.js';
import { Quota } from './quota.service.js';

const context: CallContext = {
  requestId: 'r',
  tenantId: 't',
  mode: 'live',
  principal: 'p',
  deadlineAt: Date.now() + 60_000,
};
const caller = { mode: 'live', plan: 'free', tenantId: 't', liveTenantId: 't' } as KeyCaller;

describe('a reservation', () => {
  /** The requests to the jobs service, and its answers. */
  const asked: { subject: string; jobIds: string[] }[] = [];
  let answer: () => Promise<unknown>;
  beforeEach(() => void (asked.length = 0));

  const call = (operation: Operation, input: unknown) => {
    const { job_ids, jobs = [] } = input as { job_ids?: string[]; jobs?: { id: string }[] };
    asked.push({ subject: operation.subject, jobIds: job_ids ?? jobs.map(({ id }) => id) });
    return answer();
  };
  const logger = createLogger({ service: 'gateway', role: 'api', level: 'silent' });
  const quota = new Quota({
    rpc: { call: call as never },
    plans: planPagesSchema.parse(''),
    planNodes: planNodesSchema.parse(''),
    logger,
  });
  const reserved = (ids: string[], leaseSeconds: number) => () =>
    Promise.resolve({ reserved: ids, lease_seconds: leaseSeconds });
  const subjects = () => asked.map(({ subject }) => subject);
  const { reservePages, releasePages } = jobsOperations;

  it('is renewed once half of its lease has passed, and not before', async () => {
    answer = reserved(['a'], 900);
    await (await quota.admit(caller, [{ id: 'a' }], context)).renew(context);
    expect(subjects()).toStrictEqual([reservePages.subject]);
    answer = reserved(['a'], 0);
    await (await quota.admit(caller, [{ id: 'a' }], context)).renew(context);
    expect(subjects()).toStrictEqual([reservePages.subject, reservePages.subject, reservePages.subject]);
  });

  it('is renewed at once when more is known of its jobs', async () => {
    answer = reserved(['a'], 900);
    const reservation = await quota.admit(caller, [{ id: 'a' }], context);
    await reservation.renew(context, [{ id: 'a', content_type: 'text/plain', size_bytes: 9_000 }]);
    expect(subjects()).toStrictEqual([reservePages.subject, reservePages.subject]);
  });

  it('that ran out is refused when its room is gone', async () => {
    answer = reserved(['a'], 0);
    const reservation = await quota.admit(caller, [{ id: 'a' }], context);
    answer = () => Promise.reject(new CodedError('QUOTA_EXCEEDED', 'full'));
    await expect(reservation.renew(context)).rejects.toThrow(/full/);
  });

  it('gives back what it has reserved itself, the renewal included, and nothing that was held before', async () => {
    answer = reserved(['a'], 0);
    const reservation = await quota.admit(caller, [{ id: 'a' }, { id: 'held' }], context);
    await reservation.release(['held']);
    // There was nothing to release.
    expect(subjects()).toStrictEqual([reservePages.subject]);
    answer = reserved(['held'], 0);
    await reservation.renew(context);
    await reservation.release();
    expect(asked.at(-1)).toStrictEqual({ subject: releasePages.subject, jobIds: ['a', 'held'] });
  });

  it('never fails a request by releasing pages, and is refused while the jobs service does not respond', async () => {
    answer = reserved(['a'], 900);
    const reservation = await quota.admit(caller, [{ id: 'a' }], context);
    answer = () => Promise.reject(unavailable('The jobs service'));
    await reservation.release();
    await expect(quota.admit(caller, [{ id: 'b' }], context)).rejects.toThrow(/not available/);
  });
});

it.each([
  ['free', 'live', { pages_limit: 1_000, nodes_limit: 1_000_000 }],
  ['free', 'test', { pages_limit: null, nodes_limit: 1_000_000 }],
  ['enterprise', 'live', { pages_limit: null, nodes_limit: 100_000_000 }],
] as const)('syncs of the plan %s in %s mode have its limits', (plan, mode, limits) => {
  const logger = createLogger({ service: 'gateway', role: 'api', level: 'silent' });
  const quota = new Quota({
    rpc: { call: () => Promise.reject(new Error('no call')) },
    plans: planPagesSchema.parse(''),
    planNodes: planNodesSchema.parse(''),
    logger,
  });
  expect(quota.syncLimits({ ...caller, plan, mode })).toStrictEqual(limits);
});
