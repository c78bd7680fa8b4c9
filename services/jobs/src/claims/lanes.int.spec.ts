// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Lane } from './lane.domain.js';
import { BATCH_WAIT_SECONDS, leaseOf, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { ClaimStore } from './claim.store.js';

const SMALL = { content_type: 'text/markdown', size_bytes: 10 };
const DOCUMENT = { content_type: 'application/pdf', size_bytes: 10 };

describe('the lanes of the queue', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const claimsOf = (lane: Lane) => {
    const options = { workerId: 'worker', lane, leaseSeconds: 20, batchWaitSeconds: BATCH_WAIT_SECONDS };
    return new ClaimStore(kiln.database, kiln.tenants, options);
  };
  const take = async (lane: Lane, jobsMax = 10) => (await claimsOf(lane).claim(jobsMax)).jobs.map(({ id }) => id);
  const waiting = async () =>
    (await kiln.sql<{ lane: string }>('select lane from waiting_tenants order by lane')).map(({ lane }) => lane);

  it('keep small text and documents apart: each is claimed by its own workers only', async () => {
    const tenant = uuidv7();
    const documents = [await kiln.add(tenant, DOCUMENT), await kiln.add(tenant, DOCUMENT)];
    const text = await kiln.add(tenant, SMALL);
    expect(await take('text')).toStrictEqual([text]);
    expect(await take('text')).toStrictEqual([]);
    expect(new Set(await take('sandbox'))).toStrictEqual(new Set(documents));
  });

  it('follow from type and size: a file that is not known to be small text needs a sandbox', async () => {
    const tenant = uuidv7();
    const unknown = await kiln.add(tenant, { content_type: 'text/markdown', size_bytes: null });
    const large = await kiln.add(tenant, { content_type: 'text/markdown', size_bytes: 10_000_000 });
    expect(await take('text')).toStrictEqual([]);
    expect(new Set(await take('sandbox'))).toStrictEqual(new Set([unknown, large]));
  });

  it('remove a tenant separately: it stays in the other lane', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant, SMALL);
    await kiln.add(tenant, DOCUMENT);
    expect(await waiting()).toStrictEqual(['sandbox', 'text']);
    await take('text');
    expect(await claimsOf('text').removeIdle([tenant])).toBe(true);
    expect(await waiting()).toStrictEqual(['sandbox']);
    expect(await claimsOf('text').nextDueInMs([])).toBeNull();
    expect(await claimsOf('sandbox').nextDueInMs([])).toBe(0);
  });

  it('take a job back that was released or reclaimed', async () => {
    const tenant = uuidv7();
    await kiln.add(tenant, SMALL);
    const [job] = (await claimsOf('text').claim(1)).jobs;
    if (!job) throw new Error('no job');
    await claimsOf('text').removeIdle([tenant]);
    await kiln.leases.release(leaseOf(job), { error: null, counted: false, delaySeconds: 0 });
    expect(await waiting()).toStrictEqual(['text']);
    expect(await take('text')).toStrictEqual([job.id]);
  });

  it('are reconciled separately', async () => {
    const tenants = [uuidv7(), uuidv7()];
    for (const tenant of tenants) {
      await kiln.add(tenant, SMALL);
      await kiln.add(tenant, DOCUMENT);
    }
    await kiln.sql('delete from waiting_tenants');
    await kiln.tenants.restore();
    expect(await waiting()).toStrictEqual(['sandbox', 'sandbox', 'text', 'text']);
  });
});
