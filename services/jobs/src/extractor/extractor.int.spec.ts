// A real extractor process, started with the variables of its deployment only.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRemoteSandbox } from '@kiln/extraction';
import { announcedPort, compileCache, eventually } from '@kiln/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

let extractor: ChildProcess;
let directory: string;
let url: string;
let healthUrl: string;

const never = new AbortController().signal;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-extractor-'));
  extractor = spawn(process.execPath, [fileURLToPath(new URL('../main.js', import.meta.url))], {
    env: {
      ...compileCache,
      PATH: '/usr/bin:/bin',
      KILN_ROLE: 'extractor',
      KILN_HEALTH_PORT: '0',
      KILN_EXTRACTOR_PORT: '0',
      KILN_EXTRACTION_ISOLATION: 'preferred',
      KILN_SCRATCH_DIR: directory,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ports = [announcedPort(extractor, 'extractor'), announcedPort(extractor, 'health')];
  [url, healthUrl] = (await Promise.all(ports)).map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const isReady = async () => (await fetch(`${healthUrl}/readyz`).catch(() => null))?.ok === true;
  await eventually(isReady);
});
afterAll(async () => {
  if (extractor.exitCode === null) extractor.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

it('reads documents without a database, a bus, a store or a key, and shows its isolation', async () => {
  const sandbox = createRemoteSandbox({ url, deadlineMs: 60_000 });
  const path = join(directory, 'a.csv');
  const outputDirectory = join(directory, 'output');
  await writeFile(path, 'kiln,degrees\nA,1000\n');
  await mkdir(outputDirectory);
  const input = { path, filename: 'a.csv', contentType: 'text/csv', outputDirectory, owner: 'tenant' };
  const { markdownPath } = await sandbox.extract(input, never);
  expect(await readFile(markdownPath, 'utf8')).toContain('1000');
  await sandbox.close();
  const { facts } = (await (await fetch(`${healthUrl}/readyz`)).json()) as { facts: Record<string, string> };
  expect(facts['extraction_isolation']).toMatch(/^(separate_user|user_namespace|process_only)$/);
});

it('does not start without the data of a language, and says what can be done', async () => {
  const wanting = spawn(process.execPath, [fileURLToPath(new URL('../main.js', import.meta.url))], {
    env: {
      PATH: '/usr/bin:/bin',
      KILN_ROLE: 'extractor',
      KILN_HEALTH_PORT: '0',
      KILN_EXTRACTOR_PORT: '0',
      KILN_OCR_LANGUAGES: 'eng,ell',
      KILN_OCR_DATA_DIR: directory,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(wanting, 'exit');
  const [printed, logged] = await Promise.all([text(wanting.stdout), text(wanting.stderr)]);
  const [code] = (await exited) as [number];
  expect(code).not.toBe(0);
  expect(printed + logged).toMatch(
    /KILN_OCR_LANGUAGES names ell, but .*ell\.traineddata does not exist.*tesseract-ocr-ell/,
  );
});

it('reads a document to its end after SIGTERM, accepts no further one, and leaves nothing behind', async () => {
  const csv = 'kiln,degrees\nA,1000\n';
  const path = '/v1/documents?task=extract&filename=a.csv&content_type=text%2Fcsv';
  const sent = request(new URL(path, url), { method: 'POST', headers: { 'content-length': csv.length } });
  const answered = once(sent, 'response');
  sent.write(csv.slice(0, 10));
  await eventually(async () =>
    /kiln_extractor_documents(\{.*\})? 1\b/.test(await (await fetch(`${healthUrl}/metrics`)).text()),
  );
  const exited = once(extractor, 'exit');
  extractor.kill('SIGTERM');
  await eventually(async () => (await fetch(url, { method: 'POST' }).catch(() => null)) === null);
  expect(extractor.exitCode).toBeNull();
  sent.end(csv.slice(10));
  const [answer] = (await answered) as [IncomingMessage];
  expect([answer.statusCode, await text(answer)]).toStrictEqual([200, expect.stringContaining('1000')]);
  expect(await exited).toStrictEqual([0, null]);
  expect(await readdir(join(directory, 'jobs'))).toStrictEqual([]);
});
