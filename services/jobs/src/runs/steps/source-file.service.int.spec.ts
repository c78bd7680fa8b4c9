// Real: sockets on loopback, the disk. Faked: a bucket whose objects have no end.
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BucketDownload } from '../bucket/bucket-download.adapter.js';
import type { RunContext } from '../run-context.port.js';
import { SourceFile } from './source-file.service.js';

const INPUT_BYTES_MAX = 4 * 1_048_576;
const PIECE = Buffer.alloc(65_536, 'x');

const dispatcher = createGuardedAgent({
  policy: new OutboundPolicy({ allow: '127.0.0.1' }),
  connectTimeoutMs: 5_000,
  keepAliveMs: 1_000,
});
const closed: Promise<unknown>[] = [];
const server = createServer((_request, response) => {
  closed.push(once(response, 'close'));
  response.writeHead(200, { etag: '"abc"' });
  // Ends when the client closes the connection.
  void pipeline(endless(), response).catch(() => undefined);
});
let directory: string;
let context: RunContext;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-source-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.txt`;
  context = {
    file: { size_bytes: 100, source_etag: 'abc', sha256: null },
    source: { url, bucket: 'their-documents', etag_header: 'etag', fault: null },
    signal: new AbortController().signal,
  } as unknown as RunContext;
});
afterEach(async () => {
  // The connection to the bucket ends with the download.
  await Promise.all(closed.splice(0));
});
afterAll(async () => {
  server.close();
  await dispatcher.destroy();
  await rm(directory, { recursive: true, force: true });
});

function* endless() {
  for (;;) yield PIECE;
}

const objects = {} as ConstructorParameters<typeof SourceFile>[0];
const source = () => new SourceFile(objects, INPUT_BYTES_MAX, new BucketDownload(dispatcher));

it('fails with the code of the fault when the bytes could not be opened', async () => {
  for (const code of ['corrupt_file', 'provider_unauthorized', 'provider_unavailable'] as const) {
    const unopened = { ...context, source: { url: null, bucket: '', etag_header: '', fault: 'why', fault_code: code } };
    const failure = source().download(unopened, join(directory, 'unopened'));
    await expect(failure).rejects.toMatchObject({ code, message: 'why' });
  }
});

it('ends the download of an object without end that is listed with 100 bytes, at the limit on files', async () => {
  const path = join(directory, 'source');
  const message: unknown = expect.stringContaining('larger than the 4 MiB');
  await expect(source().download(context, path)).rejects.toMatchObject({ code: 'file_too_large', message });
  expect((await stat(path)).size).toBeLessThanOrEqual(INPUT_BYTES_MAX);
  expect(closed).toHaveLength(1);
});

it('holds no more of such an object in memory than small text may have', async () => {
  const message: unknown = expect.stringContaining('larger than the 256 KiB');
  await expect(source().read(context, 262_144)).rejects.toMatchObject({ code: 'file_too_large', message });
  expect(closed).toHaveLength(1);
});
