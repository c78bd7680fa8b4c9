import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import type { Sandbox } from './sandbox-options.js';
import { createSandboxOf } from './sandbox.js';

const child = new URL('../fixtures/misbehaving-child.js', import.meta.url);
const noNamespaces = () => Promise.resolve({ level: 'process_only', reason: 'not permitted' } as const);
let scratch: Scratch;
let sandbox: Sandbox;

async function read(owner: string): Promise<void> {
  const input = await scratch.input('a', 'test/environment', 'x');
  await sandbox.extract({ ...input, owner }, new AbortController().signal);
}

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterEach(() => sandbox.close());
afterAll(() => scratch.remove());

describe.each([
  { where: 'at the best isolation of this machine', find: undefined },
  { where: 'without namespaces', find: noNamespaces },
])('$where', ({ find }) => {
  const sandboxOf = (processes: number) => {
    sandbox = createSandboxOf({ processes, isolation: 'preferred', directory: scratch.path }, child, () => true, find);
  };

  it('no process reads documents of two owners, and none keeps the folder of another', async () => {
    sandboxOf(1);
    for (const owner of ['a', 'a', 'b', 'b', 'a']) await read(owner);
    expect(sandbox.stats().started).toBe(3);
    await sandbox.close();
    expect(readdirSync(scratch.path).filter((name) => name.startsWith('kiln-sandbox-'))).toStrictEqual([]);
  });

  it('a process waits for the next document of its owner, until another owner needs its place', async () => {
    sandboxOf(2);
    for (const owner of ['a', 'b', 'a', 'b']) await read(owner);
    expect(sandbox.stats().started).toBe(2);
    // Of both, that of `a` has been idle for longer.
    await read('c');
    expect(sandbox.stats().started).toBe(3);
    await read('b');
    expect(sandbox.stats().started).toBe(3);
  });
});
