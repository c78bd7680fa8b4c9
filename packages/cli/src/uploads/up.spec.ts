// `kiln up` against functions in place of a server.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { problem, type TestHandler, type TestRequest } from '@kiln/sdk/testing';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKiln, type Situation } from '../fixtures/run-kiln.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-cli-'));
  await mkdir(join(folder, 'inner/node_modules'), { recursive: true });
  await writeFile(join(folder, 'a.md'), 'a');
  await writeFile(join(folder, 'inner/b.md'), 'b');
  await writeFile(join(folder, 'inner/c.tmp'), 'c');
  await writeFile(join(folder, 'inner/node_modules/d.md'), 'd');
  await symlink(folder, join(folder, 'loop'));
});
afterEach(() => rm(folder, { recursive: true }));

const shaOf = (text: string) => createHash('sha256').update(text).digest('hex');
interface Registration {
  filename: string;
  space: string;
  metadata: Record<string, string>;
}

/** A server that keeps what is uploaded. */
function server() {
  const files: { id: string; status: string; job_id: string; registration: Registration }[] = [];
  const jobs = new Map<string, object>();
  const handlers: Record<string, TestHandler> = {
    'POST /v1/upload': ({ body }) => {
      const form = body as FormData;
      const [id, job_id] = [`file_${files.length}`, `job_${files.length}`];
      const { file: _file, ...texts } = Object.fromEntries(form);
      const metadata = JSON.parse(form.get('metadata') as string) as object;
      const registration = { ...texts, metadata } as Registration;
      files.push({ id, status: 'completed', job_id, registration });
      return { id, job_id };
    },
    'GET /v1/files': ({ path }) => {
      const { searchParams } = new URL(path, 'http://kiln.test');
      const wanted = searchParams.get('metadata.sha256');
      const found = files.filter(
        ({ registration }) =>
          (wanted === null || registration.metadata['sha256'] === wanted) &&
          registration.space === searchParams.get('space'),
      );
      return { files: found, next_cursor: null };
    },
    'GET /v1/jobs/:id': ({ path }) => {
      const id = path.split(/[/?]/)[3] ?? '';
      return { id, status: 'completed', error: null, ...jobs.get(id) };
    },
  };
  return { files, jobs, handlers };
}

const up = (words: readonly string[], situation: Situation) => runKiln(['up', folder, ...words], situation);
const uploadsOf = (requests: TestRequest[]) => requests.filter(({ method }) => method === 'POST').length;

it('uploads a folder with path and SHA-256 as metadata, without excluded files, and prints a row for each', async () => {
  const { handlers, files } = server();
  const { out, err, exit } = await up(['--exclude', '*.tmp', '--exclude', 'node_modules', '--concurrency', '1'], {
    handlers,
    environment: { space: 'contracts' },
  });
  expect(exit).toBe(0);
  expect(out).toBe('a.md\tuploaded\tfile_0\ninner/b.md\tuploaded\tfile_1\n');
  expect(err).toBe('uploaded  a.md\nuploaded  inner/b.md\n');
  expect(files.map(({ registration }) => registration)).toStrictEqual([
    { filename: 'a.md', space: 'contracts', metadata: { path: 'a.md', sha256: shaOf('a') } },
    { filename: 'b.md', space: 'contracts', metadata: { path: 'inner/b.md', sha256: shaOf('b') } },
  ]);
});

it('prints a table on a terminal', async () => {
  const { out } = await up(['--exclude', 'inner'], { handlers: server().handlers, isTerminal: true });
  expect(out).toBe('PATH  OUTCOME   FILE\na.md  uploaded  file_0\n');
});

it('skips bytes that the space has, and sends them to another space and with --force', async () => {
  const { handlers } = server();
  await up(['--concurrency', '1'], { handlers });
  const again = await up([], { handlers });
  expect([uploadsOf(again.requests), again.exit]).toStrictEqual([0, 0]);
  expect(again.out.split('\n')[0]).toBe('a.md\tpresent\tfile_0');
  expect(uploadsOf((await up(['--space', 'other'], { handlers })).requests)).toBe(4);
  expect(uploadsOf((await up(['--force'], { handlers })).requests)).toBe(4);
});

it('looks for each file in the space, unless the space is empty', async () => {
  const { handlers } = server();
  const looksOf = ({ requests }: { requests: TestRequest[] }) =>
    requests.filter(({ method, path }) => method === 'GET' && path.includes('metadata.sha256')).length;
  expect(looksOf(await up([], { handlers }))).toBe(0);
  expect(looksOf(await up([], { handlers }))).toBe(4);
});

it('sends equal files of a folder once', async () => {
  await writeFile(join(folder, 'copy.md'), 'a');
  const { out, requests } = await up(['--exclude', 'inner'], { handlers: server().handlers });
  expect(uploadsOf(requests)).toBe(1);
  expect(out.match(/file_0/g)).toHaveLength(2);
});

it('sends a file again whose bytes never arrived, and not one whose processing failed', async () => {
  const { handlers, files, jobs } = server();
  await up(['--exclude', 'inner'], { handlers });
  for (const file of files) file.status = 'uploading';
  expect(uploadsOf((await up(['--exclude', 'inner'], { handlers })).requests)).toBe(1);
  for (const file of files) file.status = 'failed';
  jobs.set('job_0', { error: { code: 'upload_expired' } });
  jobs.set('job_1', { error: { code: 'corrupt_file' } });
  const { out, requests } = await up(['--exclude', 'inner'], { handlers });
  expect([uploadsOf(requests), out]).toStrictEqual([0, 'a.md\tpresent\tfile_1\n']);
});

describe('a large file whose upload was interrupted', () => {
  const PART_BYTES = 1_048_576;
  const SIZE = PART_BYTES + 7;
  /** A server on which the first of two parts has arrived. */
  async function interrupted(uploadsHandler?: TestHandler) {
    await writeFile(join(folder, 'large.bin'), Buffer.alloc(SIZE, 'x'));
    const { handlers } = server();
    const begun = { id: 'file_1', job_id: 'job_1', status: 'uploading' };
    const parts = [{ part_number: 1, size_bytes: PART_BYTES, etag: 'x' }];
    const upload = { ...begun, size_bytes: SIZE, part_bytes: PART_BYTES, part_count: 2, parts, next_cursor: null };
    return up(['--exclude', '{inner,a.md}'], {
      handlers: {
        ...handlers,
        'GET /v1/files': () => ({ files: [begun], next_cursor: null }),
        'GET /v1/uploads/:id': uploadsHandler ?? (() => upload),
        'POST /v1/uploads/:id/parts': () => ({
          parts: [{ part_number: 2, size_bytes: 7, url: 'http://kiln.test/part', headers: {} }],
          expires_in: 60,
        }),
        'PUT /part': () => ({}),
        'POST /v1/uploads/:id/complete': () => ({ ...begun, status: 'uploaded' }),
        'POST /v1/upload': () => ({
          ...begun,
          id: 'file_2',
          upload_url: 'http://kiln.test/part',
          upload_headers: {},
          expires_in: 60,
        }),
      },
    });
  }

  it('is continued: only the parts that are missing are sent', async () => {
    const { exit, out, requests } = await interrupted();
    expect([exit, out]).toStrictEqual([0, 'large.bin\tuploaded\tfile_1\n']);
    expect(requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toStrictEqual(['x'.repeat(7)]);
  });

  it('is sent as a whole if it was not sent in parts', async () => {
    const { exit, out, requests } = await interrupted(() => problem(404, 'NOT_FOUND'));
    expect([exit, out]).toStrictEqual([0, 'large.bin\tuploaded\tfile_2\n']);
    expect(requests.filter(({ method }) => method === 'PUT').map(({ body }) => (body as string).length)).toStrictEqual([
      SIZE,
    ]);
  });
});

it('continues after a file that fails, and ends with 1, or with 5 if a later try can succeed', async () => {
  const { handlers } = server();
  let count = 0;
  const failing = (status: number): Situation => ({
    handlers: {
      ...handlers,
      'POST /v1/upload': (request) =>
        (count += 1) % 2 ? problem(status, 'X') : handlers['POST /v1/upload']?.(request),
    },
  });
  const refused = await up(['--exclude', '{*.tmp,node_modules}', '--concurrency', '1'], failing(400));
  expect([refused.exit, refused.out]).toStrictEqual([1, 'a.md\tfailed\t\ninner/b.md\tuploaded\tfile_0\n']);
  expect(refused.err).toContain('failed    a.md: X (X, request test)\n');
  count = 0;
  expect((await up(['--exclude', '{*.tmp,node_modules}'], failing(503))).exit).toBe(5);
});

it('ends at once if the key is refused', async () => {
  const { exit, requests } = await up(['--concurrency', '1'], {
    handlers: { 'GET /v1/files': () => problem(401, 'UNAUTHORIZED') },
  });
  expect([exit, requests.length]).toStrictEqual([4, 1]);
});

it('with --wait ends by the outcome of the jobs', async () => {
  const { handlers, jobs } = server();
  const completed = await up(['--exclude', 'inner', '--wait'], { handlers });
  expect([completed.exit, completed.out]).toStrictEqual([0, 'a.md\tcompleted\tfile_0\n']);
  jobs.set('job_0', { status: 'failed', error: { code: 'corrupt_file', message: 'It is damaged.' } });
  const failed = await up(['--exclude', 'inner', '--wait'], { handlers });
  expect([failed.exit, failed.out]).toStrictEqual([1, 'a.md\tfailed\tfile_0\n']);
  expect(failed.err).toContain('error: a.md: It is damaged. (corrupt_file)\n');
});

it('says after an interruption how to continue, and ends with 130', async () => {
  const { handlers, files } = server();
  const controller = new AbortController();
  const { exit, err, out } = await up(['--concurrency', '1'], {
    signal: controller.signal,
    handlers: {
      ...handlers,
      'POST /v1/upload': (request) => {
        if (files.length === 1) controller.abort(new Error('interrupted'));
        return handlers['POST /v1/upload']?.(request);
      },
    },
  });
  expect([exit, out.split('\n')[0]]).toStrictEqual([130, 'a.md\tuploaded\tfile_0']);
  expect(err).toMatch(/error: Interrupted: \d of 4 files are done\. Run the same command again to continue/);
});

it('refuses a path that does not exist, and metadata that it writes itself', async () => {
  expect((await up([join(folder, 'missing')], {})).exit).toBe(2);
  expect((await up(['--metadata', 'sha256=x'], {})).exit).toBe(2);
});
