import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SyncBehind } from './sync-behind.js';

test('a synced file is kept, a file that cannot be synced is removed, and a missing file is not an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-sync-'));
  try {
    await writeFile(join(folder, 'good'), 'bytes');
    await promisify(execFile)('mkfifo', [join(folder, 'bad')]); // of all files, a pipe refuses to be synced
    const syncing = new SyncBehind();
    for (const name of ['good', 'bad', 'gone', 'good', 'bad']) syncing.start(join(folder, name));
    for (const name of ['good', 'bad', 'gone']) await syncing.untilIdle(join(folder, name));
    expect(await readdir(folder)).toStrictEqual(['good']);
    expect(await readFile(join(folder, 'good'), 'utf8')).toBe('bytes');
  } finally {
    await rm(folder, { recursive: true });
  }
});
