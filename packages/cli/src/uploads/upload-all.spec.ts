// What happens when an upload or a wait fails.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForJobs } from '../commands/wait-for-jobs.js';
import { Progress } from '../terminal/progress.js';
import { uploadAll } from './upload-all.js';
import { reportUploads } from './upload-progress.js';

/** A request that is not aborted ends after minutes. */
const SOON_MS = 50_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Answers the second request with the status, while the first is still running. `abandoned` waits until the first is aborted. */
function server(status: number) {
  let running: AbortSignal | undefined;
  const fetch = async (_url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (running) return Response.json({ error: 'X', code: 'X', requestId: 'test' }, { status });
    running = init?.signal ?? new AbortController().signal;
    await once(running, 'abort');
    throw new Error('aborted');
  };
  const kiln = new Kiln({ baseUrl: 'http://kiln.test', apiKey: 'test', fetch, maxRetries: 0 });
  const abandoned = async () => {
    if (running?.aborted !== true) await once(running ?? new EventTarget(), 'abort');
  };
  return { kiln, abandoned };
}

it(
  'a refused key ends the uploads that are running',
  async () => {
    const { kiln, abandoned } = server(401);
    const files = ['a.md', 'b.md'].map((name) => ({ path: join(folder, name), name }));
    for (const { path, name } of files) await writeFile(path, name);
    const { signal } = new AbortController();
    const settings = { kiln, space: 'default', fields: {}, isForced: true, signal };
    const uploads = uploadAll({ files, concurrency: 2, settings, onChange: () => {} });
    await expect(uploads).rejects.toMatchObject({ exit: 'auth' });
    await abandoned();
  },
  SOON_MS,
);

it(
  'a job that cannot be read ends the wait for the others',
  async () => {
    const { kiln, abandoned } = server(404);
    const err = { isTerminal: false, columns: 80, hasColors: false, write: () => {} };
    const context = { signal: new AbortController().signal, terminal: { err } };
    const jobs = ['job_01h455vb4pex5vsknk084sn02q', 'job_01h455vb4pex5vsknk084sn02r'];
    await expect(waitForJobs(context, kiln, jobs, 600)).rejects.toMatchObject({ status: 404 });
    await abandoned();
  },
  SOON_MS,
);

it('a failure is shown without the control characters of its message, which can contain the path of a file', () => {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const report = reportUploads(new Progress({ isTerminal: false, columns: 80, hasColors: false, write }), () => 0);
  const state = { totalFiles: 1, totalBytes: 0, doneFiles: 1, doneBytes: 0, sentBytes: 0, active: new Map() };
  const failure = { exit: 'failed', message: "EACCES: permission denied, open 'x\u001B[2J'" } as const;
  report(state, { file: { path: 'x\u001B[2J', name: 'x\u001B[2J' }, failure });
  expect(written).toStrictEqual(["failed    x�[2J: EACCES: permission denied, open 'x�[2J'\n"]);
});
