import { encodeId, JOBS_PER_CALL_MAX, unavailable, type CallContext } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { JobAnnouncer, type JobAnnouncerParts } from './job-announcer.js';

interface Asked {
  jobIds: string[];
  context: CallContext;
}

const contextOf = (tenantId: string): CallContext => ({
  requestId: uuidv7(),
  tenantId,
  mode: 'live',
  principal: 'key',
  deadlineAt: Date.now() + 60_000,
});

const jobOf = () => ({
  file_id: encodeId('file', uuidv7()),
  job_id: encodeId('job', uuidv7()),
  batch_id: null,
  space: 'default',
  filename: 'a.txt',
  content_type: 'text/plain',
  ready: true,
  processing: {},
});

function announcerOver(answer: () => Promise<unknown>) {
  const asked: Asked[] = [];
  const warnings: unknown[] = [];
  const rpc = {
    call: (_operation: unknown, { jobs }: { jobs: { job_id: string }[] }, context: CallContext) => {
      asked.push({ jobIds: jobs.map(({ job_id }) => job_id), context });
      return answer();
    },
  } as unknown as JobAnnouncerParts['rpc'];
  const logger = { warn: (about: unknown) => void warnings.push(about) } as unknown as JobAnnouncerParts['logger'];
  return { announcer: new JobAnnouncer({ rpc, logger }), asked, warnings };
}

describe('announcing jobs', () => {
  it('asks once for what one turn brings for a tenant, and never together for two', async () => {
    const { announcer, asked } = announcerOver(() => Promise.resolve({ created: 1 }));
    const [a, b] = [uuidv7(), uuidv7()];
    const jobs = [jobOf(), jobOf(), jobOf()] as const;
    await Promise.all([
      announcer.announce([jobs[0]], contextOf(a)),
      announcer.announce([jobs[1], null], contextOf(b)),
      announcer.announce([jobs[2]], contextOf(a)),
    ]);
    assert.deepEqual(
      asked.map(({ jobIds, context }) => [context.tenantId, jobIds]),
      [
        [a, [jobs[0].job_id, jobs[2].job_id]],
        [b, [jobs[1].job_id]],
      ],
    );
  });

  it('asks for no more in one call than the jobs service takes, and for nothing where there is no job', async () => {
    const { announcer, asked } = announcerOver(() => Promise.resolve({ created: 1 }));
    const context = contextOf(uuidv7());
    await announcer.announce([null], context);
    assert.equal(asked.length, 0);
    const jobs = Array.from({ length: JOBS_PER_CALL_MAX + 1 }, jobOf);
    await announcer.announce(jobs, context);
    assert.deepEqual(
      asked.map(({ jobIds }) => jobIds.length),
      [JOBS_PER_CALL_MAX, 1],
    );
  });

  it('leaves jobs to their events when the service does not answer, and waits for it no longer than 2 s', async () => {
    const { announcer, asked, warnings } = announcerOver(() => Promise.reject(unavailable('The jobs service')));
    const context = contextOf(uuidv7());
    await Promise.all([announcer.announce([jobOf()], context), announcer.announce([jobOf()], context)]);
    assert.equal(asked.length, 1);
    assert.equal(warnings.length, 1);
    assert.ok(asked[0] && asked[0].context.deadlineAt <= Date.now() + 2_000);
  });
});
