import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makePdf } from '@kiln/pdf/fixtures/make-pdf';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import type { SandboxOptions, Sandbox } from './sandbox-options.js';
import { createSandbox, createSandboxOf } from './sandbox.js';

let scratch: Scratch;
const open: Sandbox[] = [];

function misbehaving(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandboxOf(
    { processes: 1, isolation: 'preferred', ...options },
    new URL('../fixtures/misbehaving-child.js', import.meta.url),
    () => true,
  );
  open.push(sandbox);
  return sandbox;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An orphan whose parent does not wait for it remains as a zombie, but no longer runs.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** A busy machine may take its time. */
const until = (condition: () => boolean): Promise<boolean> => eventually(condition, { timeoutMs: 120_000 });

describe('sandbox', () => {
  beforeAll(async () => {
    scratch = await Scratch.make();
  });
  afterAll(async () => {
    await Promise.all(open.map((sandbox) => sandbox.close()));
    await scratch.remove();
  });

  it('kills a reader that uses more memory than allowed, and reports it', async () => {
    const sandbox = misbehaving({ memoryBytesMax: 300 * 1024 * 1024 });
    await expect(scratch.run(sandbox, 'bomb', 'test/allocate', 'x')).rejects.toMatchObject({
      code: 'file_too_large',
      retryable: false,
      message: expect.stringMatching(/more memory than the 300 MiB/),
    });
  });

  it('kills a reader that is stuck in native code at the deadline', async () => {
    const sandbox = misbehaving({ deadlineMs: 700 });
    await expect(scratch.run(sandbox, 'loop', 'test/native-loop', 'x')).rejects.toMatchObject({ code: 'timeout' });
  });

  it('lets recognized pages extend the deadline, up to the limit for them', async () => {
    let deadlineMs = 750;
    await eventually(async () => {
      // It includes the start of the reader, which may take long on a busy machine.
      deadlineMs *= 2;
      const sandbox = misbehaving({ deadlineMs, limits: { ocrMillisecondsMax: 500 } });
      const start = performance.now();
      await expect(scratch.run(sandbox, 'scan', 'test/recognize', 'x')).rejects.toMatchObject({ code: 'timeout' });
      expect(performance.now() - start).toBeGreaterThanOrEqual(deadlineMs + 490);
    });
  });

  it('kills the reader at once when the caller aborts, and rejects with the reason', async () => {
    const sandbox = misbehaving();
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    const [pid] = sandbox.pids();
    if (pid === undefined) throw new Error('no pid');
    const abort = new AbortController();
    const run = sandbox.extract(await scratch.input('loop', 'test/native-loop', 'x'), abort.signal);
    // Afterwards the idle child has got the document.
    await immediate();
    abort.abort();
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => !isRunning(pid));
  });

  it('reports a file that crashes its reader as corrupt, and reads the next twenty documents', async () => {
    const sandbox = misbehaving();
    await expect(scratch.run(sandbox, 'crash', 'test/abort', 'x')).rejects.toMatchObject({
      code: 'corrupt_file',
      retryable: false,
    });
    await expect(scratch.run(sandbox, 'exit', 'test/exit', 'x')).rejects.toMatchObject({ code: 'corrupt_file' });
    const pdf = await makePdf({ pages: [[{ text: 'Still served' }]] });
    const served = await Promise.all(
      Array.from({ length: 20 }, () => scratch.run(sandbox, 'a.pdf', 'application/pdf', pdf)),
    );
    for (const { markdown } of served) expect(markdown).toContain('Still served');
    expect(sandbox.stats().processes).toBe(1);
  });

  it('counts the pages of a PDF without reading it, returns nothing for other types, and reports what is wrong with a damaged one', async () => {
    const sandbox = createSandbox({ processes: 1, isolation: 'preferred' });
    open.push(sandbox);
    const never = new AbortController().signal;
    const pdf = await makePdf({ pages: [[{ text: 'one' }], [{ text: 'two' }], [{ text: 'three' }]] });
    const count = async (type: string, bytes: Buffer | string) =>
      sandbox.countPages(await scratch.input('a', type, bytes), never);
    expect(await count('application/pdf', pdf)).toBe(3);
    expect(await count('text/plain', 'a text')).toBeNull();
    await expect(count('application/pdf', 'no pdf')).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  it('gives the JavaScript of the reader no network', async () => {
    const sandbox = misbehaving();
    const { markdown } = await scratch.run(sandbox, 'net', 'test/network', 'x');
    expect(JSON.parse(markdown)).toStrictEqual({ socket: 'EPERM', fetch: 'EPERM' });
  });

  it('gives the reader none of the environment variables of this process', async () => {
    const { markdown } = await scratch.run(misbehaving(), 'env', 'test/environment', 'x');
    expect(
      (JSON.parse(markdown) as string[]).filter((name) => !['PATH', 'LANG', 'TZ', 'HOME', 'TMPDIR'].includes(name)),
    ).toStrictEqual([]);
  });

  it('starts no child before the first document, and ends an idle child', async () => {
    const sandbox = misbehaving({ idleShutdownMs: 50 });
    expect(sandbox.pids()).toStrictEqual([]);
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    await until(() => sandbox.pids().length === 0);
    await scratch.run(sandbox, 'again', 'test/environment', 'x');
    expect(sandbox.stats().started).toBe(2);
  });

  it('replaces a child after a number of documents', async () => {
    const sandbox = misbehaving({ maxJobsPerProcess: 2 });
    for (let count = 0; count < 5; count++) await scratch.run(sandbox, 'env', 'test/environment', 'x');
    expect(sandbox.stats().started).toBe(3);
  });

  it('aborts a waiting document without affecting the running one', async () => {
    const sandbox = misbehaving({ deadlineMs: 1500 });
    const running = scratch.run(sandbox, 'loop', 'test/native-loop', 'x');
    const abort = new AbortController();
    const waiting = sandbox.extract(await scratch.input('w', 'test/environment', 'x'), abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(running).rejects.toMatchObject({ code: 'timeout' });
  });

  it('when closed, fails running documents and leaves no child behind', async () => {
    const sandbox = misbehaving();
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    const pids = sandbox.pids();
    const running = scratch.run(sandbox, 'loop', 'test/native-loop', 'x').catch((error: unknown) => error);
    await until(() => sandbox.stats().busy === 1);
    await sandbox.close();
    expect(await running).toMatchObject({ code: 'unavailable', retryable: true });
    expect(pids.filter(isRunning)).toStrictEqual([]);
    await expect(scratch.run(sandbox, 'late', 'test/environment', 'x')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('leaves no busy children behind when its own process is killed', async () => {
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL('../fixtures/doomed-parent.js', import.meta.url)), scratch.path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pids = line.toString().trim().split(',').map(Number);
    expect(pids).toHaveLength(1);
    expect(pids.filter(isRunning)).toStrictEqual(pids);
    parent.kill('SIGKILL');
    await until(() => !pids.some(isRunning));
  });
});
