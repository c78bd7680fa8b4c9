// Real: a small file system that is full. It is mounted in a mount namespace, which ends with its process.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Scratch } from '@kiln/readers/fixtures/scratch';

const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const mountAnd = (command: string) => [
  ...asRoot,
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=16m disk "$0" && ${command}`,
];
const canMount = spawnSync('unshare', [...mountAnd('true'), '/mnt'], { stdio: 'ignore' }).status === 0;

let scratch: Scratch;
beforeEach(async () => {
  scratch = await Scratch.make();
});
afterEach(() => scratch.remove());

(canMount ? it : it.skip)(
  'a full disk in the room of a reader without namespaces fails no document, and a document that fills it fails itself',
  async () => {
    const [disk, documents] = [join(scratch.path, 'disk'), join(scratch.path, 'documents')];
    for (const folder of [disk, documents]) await mkdir(folder);
    const program = fileURLToPath(new URL('../fixtures/on-small-disk.js', import.meta.url));
    const command = [...mountAnd('exec "$@"'), disk, process.execPath, program, disk, documents];
    const reader = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(JSON.parse(await text(reader.stdout))).toStrictEqual({
      before: 'read',
      full: ['unavailable', 'unavailable'],
      after: 'read',
      filling: 'internal',
      last: 'read',
    });
  },
);
