import { CodedError, jobsOperations, unavailable, type CallContext, type Operation } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { KeyCaller } from '../auth/caller.js';
import { planPagesSchema } from './plan-pages.js';
import { Quota } from './quota.js';

const context: CallContext = {
  requestId: 'r',
  tenantId: 't',
  mode: 'live',
  principal: 'p',
  deadlineAt: Date.now() + 60_000,
};
const caller = { mode: 'live', plan: 'free', tenantId: 't', liveTenantId: 't' } as KeyCaller;

describe('a permit', () => {
  /** What the jobs service is asked, and what it answers. */
  const asked: { subject: string; jobIds: string[] }[] = [];
  let answer: () => Promise<unknown>;
  beforeEach(() => void (asked.length = 0));

  const call = (operation: Operation, input: unknown) => {
    const { job_ids, jobs = [] } = input as { job_ids?: string[]; jobs?: { id: string }[] };
    asked.push({ subject: operation.subject, jobIds: job_ids ?? jobs.map(({ id }) => id) });
    return answer();
  };
  const logger = createLogger({ service: 'gateway', role: 'api', level: 'silent' });
  const quota = new Quota({ rpc: { call: call as never }, plans: planPagesSchema.parse(''), logger });
  const reserved = (ids: string[], leaseSeconds: number) => () =>
    Promise.resolve({ reserved: ids, lease_seconds: leaseSeconds });
  const subjects = () => asked.map(({ subject }) => subject);
  const { reservePages, releasePages } = jobsOperations;

  it('is renewed once half of its lease has passed, and not before', async () => {
    answer = reserved(['a'], 900);
    await (await quota.admit(caller, [{ id: 'a' }], context)).renew(context);
    assert.deepEqual(subjects(), [reservePages.subject]);
    answer = reserved(['a'], 0);
    await (await quota.admit(caller, [{ id: 'a' }], context)).renew(context);
    assert.deepEqual(subjects(), [reservePages.subject, reservePages.subject, reservePages.subject]);
  });

  it('is renewed at once when more is known of its jobs', async () => {
    answer = reserved(['a'], 900);
    const permit = await quota.admit(caller, [{ id: 'a' }], context);
    await permit.renew(context, [{ id: 'a', content_type: 'text/plain', size_bytes: 9_000 }]);
    assert.deepEqual(subjects(), [reservePages.subject, reservePages.subject]);
  });

  it('that ran out is refused when its room is gone', async () => {
    answer = reserved(['a'], 0);
    const permit = await quota.admit(caller, [{ id: 'a' }], context);
    answer = () => Promise.reject(new CodedError('QUOTA_EXCEEDED', 'full'));
    await assert.rejects(permit.renew(context), /full/);
  });

  it('gives back what it has reserved itself, the renewal included, and nothing that was held before', async () => {
    answer = reserved(['a'], 0);
    const permit = await quota.admit(caller, [{ id: 'a' }, { id: 'held' }], context);
    await permit.release(['held']);
    assert.deepEqual(subjects(), [reservePages.subject], 'there was nothing to give back');
    answer = reserved(['held'], 0);
    await permit.renew(context);
    await permit.release();
    assert.deepEqual(asked.at(-1), { subject: releasePages.subject, jobIds: ['a', 'held'] });
  });

  it('never makes a request fail by giving back, and is not given when nobody can say whether there is room', async () => {
    answer = reserved(['a'], 900);
    const permit = await quota.admit(caller, [{ id: 'a' }], context);
    answer = () => Promise.reject(unavailable('The jobs service'));
    await permit.release();
    await assert.rejects(quota.admit(caller, [{ id: 'b' }], context), /not available/);
  });
});
