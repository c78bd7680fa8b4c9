// `get --original`: bytes from a server in place of the object store.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { runKiln } from '../../fixtures/run-kiln.js';

const ID = 'file_01h455vb4pex5vsknk084sn02q';
const BYTES = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0x1b, 0x5b, 0x32, 0x4a]);
const WORDS = ['get', ID, '--original'];

let folder: string;
let store: Server;
let handlers: Record<string, () => unknown>;
let isBroken = false;
let status = 200;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-original-'));
  store = createServer((_request, response) => {
    response.writeHead(status, { 'content-length': BYTES.length });
    if (isBroken) response.write(BYTES.subarray(0, 4), () => response.destroy());
    else response.end(BYTES);
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  const url = `http://127.0.0.1:${(store.address() as AddressInfo).port}/file?signature=secret`;
  handlers = { 'GET /v1/files/:id/download': () => ({ url, expires_in: 3_600 }) };
});
afterAll(async () => {
  store.close();
  await rm(folder, { recursive: true });
});

it('writes the bytes to a path', async () => {
  const path = join(folder, 'original.pdf');
  const ran = await runKiln([...WORDS, '-o', path], { handlers, isTerminal: true });
  expect(ran).toMatchObject({ exit: 0, out: '', err: `The original is written to ${path}.\n` });
  expect(await readFile(path)).toStrictEqual(BYTES);
});

it('writes the bytes to a pipe as they are', async () => {
  const { exit, out, err } = await runKiln(WORDS, { handlers });
  expect([exit, Buffer.from(out, 'latin1'), err]).toStrictEqual([0, BYTES, '']);
});

it('refuses a terminal, a variant and JSON, without a request', async () => {
  const refused = [
    await runKiln(WORDS, { handlers, isTerminal: true }),
    await runKiln(['get', ID, 'markdown', '--original'], { handlers }),
    await runKiln([...WORDS, '--json'], { handlers }),
  ];
  for (const { exit, out, requests } of refused) expect([exit, out, requests]).toStrictEqual([2, '', []]);
  expect(refused[0]?.err).toContain(`kiln get ${ID} --original -o PATH`);
});

it('keeps the former file when the connection breaks, and shows no signed address', async () => {
  const path = join(folder, 'kept.pdf');
  await writeFile(path, 'former');
  isBroken = true;
  const { exit, err } = await runKiln([...WORDS, '-o', path], { handlers });
  isBroken = false;
  expect([exit, err]).toStrictEqual([5, 'error: The connection to the object store failed.\n']);
  expect(await readFile(path, 'utf8')).toBe('former');
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toStrictEqual([]);
});

it('writes into a pipe or a device at the path, and does not replace it', async () => {
  const path = join(folder, 'pipe');
  spawnSync('mkfifo', [path]);
  const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  const received = buffer(reader.stdout);
  try {
    const { exit } = await runKiln([...WORDS, '-o', path], { handlers });
    expect([exit, (await stat(path)).isFIFO()]).toStrictEqual([0, true]);
    expect(await received).toStrictEqual(BYTES);
  } finally {
    reader.kill();
  }
});

it.each([
  [403, 1],
  [503, 5],
])('ends by the status of the object store: %i', async (given, expected) => {
  status = given;
  const { exit, err } = await runKiln(WORDS, { handlers });
  status = 200;
  expect([exit, err]).toStrictEqual([expected, `error: The object store responded with the status ${given}.\n`]);
});
