// What holds without namespaces, as in a container without privileges.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { statusOf } from './proc-files.js';
import type { Sandbox, SandboxOptions } from './sandbox-options.js';
import { createSandboxOf } from './sandbox.js';

const child = new URL('../fixtures/misbehaving-child.js', import.meta.url);
const mebibyte = 1024 * 1024;
/** A busy machine may take its time. */
const patient = { timeoutMs: 120_000 };
const nothing = () => Promise.resolve({ level: 'process_only', reason: 'not permitted' } as const);

// Elsewhere, a process has no such limits. On Linux, a check that finds them missing is a failure.
(process.platform === 'linux' ? describe : describe.skip)('a reader without namespaces', () => {
  let scratch: Scratch;
  const open: Sandbox[] = [];

  const sandboxOf = (options: Partial<SandboxOptions> = {}): Sandbox => {
    const given = { processes: 1, isolation: 'preferred', directory: scratch.path, ...options } as const;
    const sandbox = createSandboxOf(given, child, () => true, nothing);
    open.push(sandbox);
    return sandbox;
  };

  beforeAll(async () => {
    scratch = await Scratch.make();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
  });
  afterAll(() => scratch.remove());

  it('has limits of processes, open files and the size of a file, ends first when memory runs out, and gets no privileges', async () => {
    const sandbox = sandboxOf({ maxOutputBytes: mebibyte });
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    const [pid = 0] = sandbox.pids();
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    const limitOf = (name: string): number => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1]);
    expect(limitOf('Max file size')).toBe(3 * mebibyte);
    expect(limitOf('Max open files')).toBe(512);
    expect(limitOf('Max core file size')).toBe(0);
    // Without a number, the limit is `unlimited`.
    expect(limitOf('Max processes')).toBeGreaterThan(256);
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    expect(statusOf(pid)).toMatch(/^NoNewPrivs:\s+1$/m);
  });

  it('writes no file that is larger than its limit, even as native code', async () => {
    const sandbox = sandboxOf({ maxOutputBytes: mebibyte });
    const program = `
      import { openSync, writeSync } from 'node:fs';
      const file = openSync(process.env.TMPDIR + '/x', 'w');
      let written = 0;
      try { for (; written < 10; written++) writeSync(file, Buffer.alloc(${mebibyte})) } catch (error) { console.log(error.code, written) }`;
    const { markdown } = await scratch.run(sandbox, 'attack', 'test/program', program);
    expect(markdown.trim()).toBe('EFBIG 3');
  });

  it('is ended by the kernel with the worker, even if it cannot run', async () => {
    const script = fileURLToPath(new URL('../fixtures/doomed-parent.js', child));
    const parent = spawn(process.execPath, [script, scratch.path, 'process_only'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString().trim());
    process.kill(pid, 'SIGSTOP');
    await eventually(() => /^State:\s+T/m.test(statusOf(pid)), patient);
    parent.kill('SIGKILL');
    await eventually(() => !/^State:\s+[^Z]/m.test(statusOf(pid)), patient);
  });
});
