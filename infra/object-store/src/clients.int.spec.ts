// Other S3 clients, from Debian packages, used with the store as a user would.
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { debianPackages } from './test-support/debian-packages.js';
import { mustRun, runProgram } from './test-support/run-program.js';
import { bodyOf, BUCKET, CREDENTIALS, startTestStore, type TestStore } from './test-support/store.js';

const clients = await debianPackages(['rclone', 's3cmd']);
const skip = 'reason' in clients ? clients.reason : false;
const environment = 'reason' in clients ? {} : clients.environment;

/** Filenames that expose errors of encoding in a store or a signature. */
const FILES: Record<string, Buffer> = {
  'plain.txt': Buffer.from('plain'),
  empty: Buffer.alloc(0),
  'with space/and+plus/100%.txt': Buffer.from('one'),
  'ünïcödé/日本語/😀.md': Buffer.from('two'),
  a: Buffer.from('file'),
  'a.b/c': Buffer.from('below a'),
  'A-UPPER/a-lower': Buffer.from('upper'),
  'quotes\'"&<>;,=@$!*()[]{}.txt': Buffer.from('three'),
  '..hidden../...': Buffer.from('dots'),
  '%2F%00': Buffer.from('percent'),
  ['long-'.repeat(40)]: Buffer.from('long'),
};
const LARGE = randomBytes(20 * 1024 * 1024);

let store: TestStore;
let folder: string;

beforeAll(async () => {
  store = await startTestStore();
  folder = await mkdtemp(join(tmpdir(), 'kiln-clients-'));
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, 'tree', name)), { recursive: true });
    await writeFile(join(folder, 'tree', name), content);
  }
  await writeFile(join(folder, 'large.bin'), LARGE);
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function storedKeys(prefix: string): Promise<string[]> {
  const page = await store.client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }));
  return (page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length));
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const EXPECTED_KEYS = Object.keys(FILES).sort(byBytes);

async function assertSameTree(copy: string): Promise<void> {
  const names = Object.keys(FILES);
  const copied = await Promise.all(names.map(async (name) => [name, await readFile(join(copy, name))]));
  expect(Object.fromEntries(copied)).toStrictEqual(FILES);
}

async function assertLargeStored(key: string): Promise<void> {
  const stored = await bodyOf(await store.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key })));
  expect(stored.equals(LARGE)).toBe(true);
  const { ETag } = await store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: key }));
  expect(ETag ?? '').toMatch(/-4"$/); // four parts of 5 MiB
}

(skip ? test.skip : test)(
  'rclone syncs a tree with hostile names there and back, checks it, moves, purges',
  async () => {
    const remote = [
      `:s3,provider=Other,env_auth=false,access_key_id=${CREDENTIALS.accessKeyId}`,
      `secret_access_key=${CREDENTIALS.secretAccessKey},endpoint='${store.url}',force_path_style=true`,
      `chunk_size=5Mi,upload_cutoff=6Mi:${BUCKET}`,
    ].join(',');
    const rclone = (...args: string[]): Promise<string> =>
      mustRun('rclone', [...args, '--config', '', '--retries', '1', '--low-level-retries', '1', '-q'], { environment });
    const tree = join(folder, 'tree');
    await rclone('sync', tree, `${remote}/rclone`);
    expect(await storedKeys('rclone/')).toStrictEqual(EXPECTED_KEYS);
    await rclone('check', tree, `${remote}/rclone`, '--download');
    await rclone('sync', `${remote}/rclone`, join(folder, 'rclone-copy'));
    await assertSameTree(join(folder, 'rclone-copy'));

    await rclone('copyto', join(folder, 'large.bin'), `${remote}/rclone-large`);
    await assertLargeStored('rclone-large');
    await rclone('moveto', `${remote}/rclone-large`, `${remote}/rclone-moved`);
    expect(await storedKeys('rclone-')).toStrictEqual(['moved']);
    await rclone('deletefile', `${remote}/rclone-moved`);
    await rclone('delete', `${remote}/rclone`);
    expect(await storedKeys('rclone')).toStrictEqual([]);
    expect(store.failures).toStrictEqual([]);
  },
);

(skip ? test.skip : test)(
  's3cmd syncs a tree with hostile names there and back, uploads in parts, lists, copies, deletes',
  async () => {
    const config = join(folder, 's3cfg');
    const host = new URL(store.url).host;
    const lines = [
      '[default]',
      `access_key = ${CREDENTIALS.accessKeyId}`,
      `secret_key = ${CREDENTIALS.secretAccessKey}`,
      `host_base = ${host}`,
      `host_bucket = ${host}`, // path style
      'use_https = False',
      'use_mime_magic = False',
      'multipart_chunk_size_mb = 5',
    ];
    await writeFile(config, lines.join('\n'));
    const s3cmd = (...args: string[]): Promise<string> => mustRun('s3cmd', ['-c', config, ...args], { environment });
    const target = `s3://${BUCKET}/s3cmd`;
    await s3cmd('sync', '--no-progress', `${join(folder, 'tree')}/`, `${target}/`);
    expect(await storedKeys('s3cmd/')).toStrictEqual(EXPECTED_KEYS);
    await s3cmd('sync', '--no-progress', `${target}/`, `${join(folder, 's3cmd-copy')}/`);
    await assertSameTree(join(folder, 's3cmd-copy'));

    await s3cmd('put', '--no-progress', join(folder, 'large.bin'), `s3://${BUCKET}/s3cmd-large`);
    await assertLargeStored('s3cmd-large');
    expect(await s3cmd('ls', `s3://${BUCKET}/s3cmd-large`)).toMatch(new RegExp(`${LARGE.length}.*s3cmd-large`));
    expect(await s3cmd('ls')).toMatch(new RegExp(`s3://${BUCKET}`));
    await s3cmd('cp', `s3://${BUCKET}/s3cmd/plain.txt`, `s3://${BUCKET}/s3cmd-copied`);
    await s3cmd('mb', 's3://second-bucket');
    await s3cmd('rb', 's3://second-bucket');
    await s3cmd('del', '--recursive', '--force', `${target}/`);
    await s3cmd('del', `s3://${BUCKET}/s3cmd-large`, `s3://${BUCKET}/s3cmd-copied`);
    expect(await storedKeys('s3cmd')).toStrictEqual([]);
    expect(store.failures).toStrictEqual([]);
  },
);

(skip ? test.skip : test)('s3cmd with a wrong secret gets an error about the signature', async () => {
  const host = new URL(store.url).host;
  const keys = [`--access_key=${CREDENTIALS.accessKeyId}`, '--secret_key=wrong', '--no-ssl', '-c', '/dev/null'];
  const { code, output } = await runProgram('s3cmd', [...keys, `--host=${host}`, `--host-bucket=${host}`, 'ls'], {
    environment,
  });
  expect(code).not.toBe(0);
  expect(output).toMatch(/signature/i);
});
