import { describe, expect, it } from '@jest/globals';
import { encodeId, JOBS_PER_CALL_MAX, unavailable, type CallContext } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { JobCreator, type JobCreatorParts } from './job-creator.adapter.js';

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
  size_bytes: 5,
  batch_id: null,
  space: 'default',
  filename: 'a.txt',
  content_type: 'text/plain',
  ready: true,
  processing: {},
});

function jobCreatorOver(answer: () => Promise<unknown>) {
  const asked: Asked[] = [];
  const warnings: unknown[] = [];
  const rpc = {
    call: (_operation: unknown, { jobs }: { jobs: { job_id: string }[] }, context: CallContext) => {
      asked.push({ jobIds: jobs.map(({ job_id }) => job_id), context });
      return answer();
    },
  } as unknown as JobCreatorParts['rpc'];
  const logger = { warn: (about: unknown) => void warnings.push(about) } as unknown as JobCreatorParts['logger'];
  return { jobCreator: new JobCreator({ rpc, logger }), asked, warnings };
}

describe('announcing jobs', () => {
  it('makes one call for the files of a tenant within one tick, and never one call for two tenants', async () => {
    const { jobCreator, asked } = jobCreatorOver(() => Promise.resolve({ created: 1 }));
    const [a, b] = [uuidv7(), uuidv7()];
    const jobs = [jobOf(), jobOf(), jobOf()] as const;
    await Promise.all([
      jobCreator.create([jobs[0]], contextOf(a)),
      jobCreator.create([jobs[1], null], contextOf(b)),
      jobCreator.create([jobs[2]], contextOf(a)),
    ]);
    expect(asked.map(({ jobIds, context }) => [context.tenantId, jobIds])).toStrictEqual([
      [a, [jobs[0].job_id, jobs[2].job_id]],
      [b, [jobs[1].job_id]],
    ]);
  });

  it('asks for no more in one call than the jobs service takes, and for nothing where there is no job', async () => {
    const { jobCreator, asked } = jobCreatorOver(() => Promise.resolve({ created: 1 }));
    const context = contextOf(uuidv7());
    await jobCreator.create([null], context);
    expect(asked).toHaveLength(0);
    const jobs = Array.from({ length: JOBS_PER_CALL_MAX + 1 }, jobOf);
    await jobCreator.create(jobs, context);
    expect(asked.map(({ jobIds }) => jobIds.length)).toStrictEqual([JOBS_PER_CALL_MAX, 1]);
  });

  it('leaves jobs to their events when the service does not respond, and waits at most 2 s', async () => {
    const { jobCreator, asked, warnings } = jobCreatorOver(() => Promise.reject(unavailable('The jobs service')));
    const context = contextOf(uuidv7());
    await Promise.all([jobCreator.create([jobOf()], context), jobCreator.create([jobOf()], context)]);
    expect(asked).toHaveLength(1);
    expect(warnings).toHaveLength(1);

    expect(asked[0]?.context.deadlineAt).toBeLessThanOrEqual(Date.now() + 2_000);
  });
});
