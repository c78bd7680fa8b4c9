// Real: whole systems with their servers, small file systems, a name server, clocks of processes. Faked: nothing.
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { drills } from './drills.js';

const TIMEOUT_MS = 600_000;
const main = join(import.meta.dirname, 'main.js');

/** The output of one drill whose faults last two seconds. Throws if its books are not right. */
const run = (name: string) =>
  new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [main, name, '--seconds', '2'], (error, output, progress) =>
      error ? reject(new Error(`${output}\n${progress}`)) : resolve(output),
    );
  });

describe('what was accepted is completed once, announced once and counted once, after', () => {
  for (const { name, lacks } of drills) {
    (lacks() === null ? it : it.skip)(
      `the faults of the drill ${name}`,
      async () => expect(await run(name)).toMatch(/\| 0 +\| 0 +\|$/m),
      TIMEOUT_MS,
    );
  }
});
