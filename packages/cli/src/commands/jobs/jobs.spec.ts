// What the commands of jobs and usage print, and how they end.
import { expect, it } from '@jest/globals';
import { runKiln } from '../../fixtures/run-kiln.js';

const ID = 'job_01h455vb4pex5vsknk084sn02q';
const error = { code: 'corrupt_file', message: 'It is damaged.', retryable: false };
const job = {
  id: ID,
  file_id: 'file_1',
  status: 'failed',
  step: 'extract',
  error,
  created_at: '2026-11-27 08:00:00',
  timeline: [{ attempt: 1, step: 'extract', status: 'failed', duration_ms: 12, error }],
};
const handlers = {
  'GET /v1/jobs': () => ({ jobs: [job], next_cursor: null }),
  'GET /v1/jobs/:id': () => job,
  'POST /v1/jobs/:id/retry': () => ({ id: ID, status: 'queued' }),
  'POST /v1/jobs/:id/cancel': () => ({ id: ID, status: 'cancelled' }),
};

it('ls prints the reason of a failure', async () => {
  const { out } = await runKiln(['jobs', 'ls'], { handlers, isTerminal: true });
  expect(out.split('\n')).toStrictEqual([
    'ID                              STATUS  CREATED  STEP     ERROR',
    `${ID}  failed  1 h ago  extract  It is damaged. (corru…`,
    '',
  ]);
  expect((await runKiln(['jobs', 'ls'], { handlers })).out).toBe(
    `${ID}\tfailed\t2026-11-27 08:00:00\textract\tIt is damaged. (corrupt_file)\n`,
  );
});

it('get prints the timeline on a terminal', async () => {
  const { out } = await runKiln(['jobs', 'get', ID], { handlers, isTerminal: true });
  expect(out).toContain(
    '\nATTEMPT  STEP     STATUS  MS  ERROR\n      1  extract  failed  12  It is damaged. (corrupt_file)\n',
  );
});

it('--wait ends by the outcome of the job', async () => {
  const expected = { exit: 1, err: expect.stringContaining(`error: ${ID} failed: It is damaged. (corrupt_file)\n`) };
  expect(await runKiln(['jobs', 'get', ID, '--wait'], { handlers })).toMatchObject(expected);
  expect(await runKiln(['jobs', 'retry', ID, '--wait'], { handlers })).toMatchObject(expected);
  expect((await runKiln(['jobs', 'get', ID], { handlers })).exit).toBe(0);
});

it('--wait ends with 8 when its time is over', async () => {
  const running = { ...handlers, 'GET /v1/jobs/:id': () => ({ ...job, status: 'processing', error: null }) };
  const { exit, err } = await runKiln(['jobs', 'get', ID, '--wait', '--timeout', '1'], { handlers: running });
  expect([exit, err]).toStrictEqual([8, `error: ${ID} has not ended within 1 s. Continue with: kiln watch ${ID}\n`]);
});

it('cancel prints the new status', async () => {
  expect((await runKiln(['jobs', 'cancel', ID], { handlers })).err).toBe(`${ID} cancelled\n`);
});
