// What `watch` prints, and how it ends.
import { expect, it } from '@jest/globals';
import { runKiln } from '../../fixtures/run-kiln.js';

const FILE = 'file_01h455vb4pex5vsknk084sn02q';
const JOB = 'job_01h455vb4pex5vsknk084sn02q';
const COMPLETED = {
  id: 'evt_1',
  type: 'file.processing.completed',
  created_at: '2026-11-27T08:59:30.000Z',
  org_id: 'org_1',
  data: { file_id: FILE, filename: 'zephyr.md' },
};
const PROGRESS = {
  type: 'job.progress',
  created_at: '2026-11-27T08:59:29.000Z',
  org_id: 'org_1',
  data: { job_id: JOB, file_id: FILE, space: 'default', step: 'extract', progress: 0.1 },
};

const TEXT = `data: ${JSON.stringify(PROGRESS)}\n\nid: evt_1\ndata: ${JSON.stringify(COMPLETED)}\n\n`;

/** Sends the events, and then nothing. */
function open(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Runs until both events are printed. */
async function watch(words: readonly string[], isTerminal = false) {
  const controller = new AbortController();
  const handlers = { 'GET /v1/events/stream': () => open() };
  const onOut = (out: string) => {
    if (out.includes('zephyr.md')) controller.abort(new Error('interrupted'));
  };
  return runKiln(['watch', ...words], { handlers, isTerminal, signal: controller.signal, onOut });
}

it('prints events until it is interrupted, and says how to continue', async () => {
  const { out, err, exit } = await watch([]);
  expect(out).toBe(
    `${PROGRESS.created_at}\tjob.progress\t${FILE}\textract 10 %\n` +
      `${COMPLETED.created_at}\tfile.processing.completed\t${FILE}\tzephyr.md\n`,
  );
  expect([exit, err]).toStrictEqual([130, 'error: Continue with: kiln watch --after evt_1\n']);
});

it('says how to continue when the stream cannot be renewed', async () => {
  const ended = () => new Response(TEXT, { headers: { 'content-type': 'text/event-stream' } });
  const { err, exit } = await runKiln(['watch'], { handlers: { 'GET /v1/events/stream': ended } });
  expect([exit, err]).toStrictEqual([
    5,
    'Continue with: kiln watch --after evt_1\nerror: GET /v1/events/stream: no complete response arrived. (CONNECTION)\n',
  ]);
});

it('prints lines of time, type and file on a terminal', async () => {
  const { out } = await watch([], true);
  expect(out).toBe(
    `08:59:29  job.progress               ${FILE}  extract 10 %\n` +
      `08:59:30  file.processing.completed  ${FILE}  zephyr.md\n`,
  );
});

it('prints events as they are in JSON', async () => {
  const { out } = await watch(['--json']);
  expect(out).toBe(`${JSON.stringify(PROGRESS)}\n${JSON.stringify(COMPLETED)}\n`);
});

it.each([
  ['completed', null, 0],
  ['failed', { code: 'corrupt_file', message: 'It is damaged.' }, 1],
  ['cancelled', null, 1],
])('ends with the job of a file: %s', async (status, error, expected) => {
  const { exit, err } = await runKiln(['watch', FILE], {
    handlers: {
      'GET /v1/events/stream': () => open(),
      'GET /v1/files/:id': () => ({ id: FILE, job_id: JOB }),
      'GET /v1/jobs/:id': () => ({ id: JOB, status, error }),
    },
  });
  expect(exit).toBe(expected);
  expect(err).toContain(`${JOB} ${status}\n`);
});
