import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makePdf } from '../fixtures/make-pdf.js';
import { Scratch } from '../fixtures/scratch.js';
import type { SandboxOptions, Sandbox } from './sandbox-options.js';
import { createSandbox, createSandboxOf } from './sandbox.js';

let scratch: Scratch;
const open: Sandbox[] = [];

function misbehaving(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandboxOf(
    { processes: 1, ...options },
    new URL('../fixtures/misbehaving-child.js', import.meta.url),
    () => true,
  );
  open.push(sandbox);
  return sandbox;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An orphan nobody waits for stays as a zombie: it runs no more.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition(); await wait(20))
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`);
}

describe('sandbox', () => {
  before(async () => {
    scratch = await Scratch.make();
  });
  after(async () => {
    await Promise.all(open.map((sandbox) => sandbox.close()));
    await scratch.remove();
  });

  it('kills a reader that takes more memory than allowed and says so', async () => {
    const sandbox = misbehaving({ memoryBytesMax: 300 * 1024 * 1024 });
    await assert.rejects(scratch.run(sandbox, 'bomb', 'test/allocate', 'x'), {
      code: 'file_too_large',
      retryable: false,
      message: /more memory than the 300 MiB/,
    });
  });

  it('kills a reader that is stuck in native code at the deadline', async () => {
    const sandbox = misbehaving({ deadlineMs: 700 });
    await assert.rejects(scratch.run(sandbox, 'loop', 'test/native-loop', 'x'), { code: 'timeout' });
  });

  it('kills the reader at once when the caller aborts, and rejects with the reason', async () => {
    const sandbox = misbehaving();
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    const [pid] = sandbox.pids();
    assert.ok(pid !== undefined);
    const abort = new AbortController();
    const run = sandbox.extract(await scratch.input('loop', 'test/native-loop', 'x'), abort.signal);
    // One turn later the idle child has got the document.
    await nextTurn();
    abort.abort();
    await assert.rejects(run, { name: 'AbortError' });
    await until(() => !isRunning(pid), 'the child is gone');
  });

  it('calls a file that crashes its reader corrupt, and serves the next twenty documents', async () => {
    const sandbox = misbehaving();
    await assert.rejects(scratch.run(sandbox, 'crash', 'test/abort', 'x'), { code: 'corrupt_file', retryable: false });
    await assert.rejects(scratch.run(sandbox, 'exit', 'test/exit', 'x'), { code: 'corrupt_file' });
    const pdf = await makePdf({ pages: [[{ text: 'Still served' }]] });
    const served = await Promise.all(
      Array.from({ length: 20 }, () => scratch.run(sandbox, 'a.pdf', 'application/pdf', pdf)),
    );
    assert.ok(served.every(({ markdown }) => markdown.includes('Still served')));
    assert.equal(sandbox.stats().processes, 1);
  });

  it('counts the pages of a PDF without reading it, tells nothing of other types, and says what is wrong with a broken one', async () => {
    const sandbox = createSandbox({ processes: 1 });
    open.push(sandbox);
    const never = new AbortController().signal;
    const pdf = await makePdf({ pages: [[{ text: 'one' }], [{ text: 'two' }], [{ text: 'three' }]] });
    const count = async (type: string, bytes: Buffer | string) =>
      sandbox.countPages(await scratch.input('a', type, bytes), never);
    assert.equal(await count('application/pdf', pdf), 3);
    assert.equal(await count('text/plain', 'a text'), null);
    await assert.rejects(count('application/pdf', 'no pdf'), { code: 'corrupt_file' });
  });

  it('gives the reader no network', async () => {
    const sandbox = misbehaving();
    const { markdown } = await scratch.run(sandbox, 'net', 'test/network', 'x');
    assert.deepEqual(JSON.parse(markdown), { socket: 'EPERM', fetch: 'EPERM' });
    const [pid] = sandbox.pids();
    if (sandbox.stats().isolation === 'network_namespace') {
      const interfaces = (await readFile(`/proc/${pid}/net/dev`, 'utf8'))
        .split('\n')
        .filter((line) => line.includes(':'));
      assert.deepEqual(
        interfaces.map((line) => line.split(':')[0]?.trim()),
        ['lo'],
      );
    }
  });

  it('shows the reader none of the variables of this process', async () => {
    const { markdown } = await scratch.run(misbehaving(), 'env', 'test/environment', 'x');
    assert.deepEqual(
      (JSON.parse(markdown) as string[]).filter(
        (name) => !['PATH', 'LANG', 'TZ', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(name),
      ),
      [],
    );
  });

  it('refuses an output outside the folder it gave', async () => {
    await assert.rejects(scratch.run(misbehaving(), 'outside', 'test/outside', 'x'), {
      code: 'internal',
      retryable: false,
      message: /outside its folder/,
    });
  });

  it('starts nothing before the first document, and ends a child that has nothing to do', async () => {
    const sandbox = misbehaving({ idleShutdownMs: 50 });
    assert.deepEqual(sandbox.pids(), []);
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    await until(() => sandbox.pids().length === 0, 'the idle child ended');
    await scratch.run(sandbox, 'again', 'test/environment', 'x');
    assert.equal(sandbox.stats().started, 2);
  });

  it('replaces a child after its share of documents', async () => {
    const sandbox = misbehaving({ maxJobsPerProcess: 2 });
    for (let count = 0; count < 5; count++) await scratch.run(sandbox, 'env', 'test/environment', 'x');
    assert.equal(sandbox.stats().started, 3);
  });

  it('lets a waiting document be aborted without touching the one that runs', async () => {
    const sandbox = misbehaving({ deadlineMs: 1500 });
    const running = scratch.run(sandbox, 'loop', 'test/native-loop', 'x');
    const abort = new AbortController();
    const waiting = sandbox.extract(await scratch.input('w', 'test/environment', 'x'), abort.signal);
    abort.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(running, { code: 'timeout' });
  });

  it('fails what runs and leaves no child behind when it is closed', async () => {
    const sandbox = misbehaving();
    await scratch.run(sandbox, 'warm', 'test/environment', 'x');
    const pids = sandbox.pids();
    const running = assert.rejects(scratch.run(sandbox, 'loop', 'test/native-loop', 'x'), {
      code: 'internal',
      retryable: true,
    });
    await until(() => sandbox.stats().busy === 1, 'the document runs');
    await sandbox.close();
    await running;
    assert.equal(pids.some(isRunning), false);
    await assert.rejects(scratch.run(sandbox, 'late', 'test/environment', 'x'), { code: 'internal' });
  });

  it('takes its busy children along when its own process is killed', async () => {
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL('../fixtures/doomed-parent.js', import.meta.url)), scratch.path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pids = line.toString().trim().split(',').map(Number);
    assert.ok(pids.length === 1 && pids.every(isRunning));
    parent.kill('SIGKILL');
    await until(() => !pids.some(isRunning), 'the orphan ended');
  });
});
