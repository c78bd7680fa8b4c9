// Programs that run inside the sandbox without the locks of its JavaScript, as injected native code would, try to get out.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { findIsolation, type IsolationLevel } from './isolation.js';
import { descendantsOf, statusOf } from './proc-files.js';
import type { Sandbox, SandboxOptions } from './sandbox-options.js';
import { createSandboxOf } from './sandbox.js';

const child = new URL('../fixtures/misbehaving-child.js', import.meta.url);
const mebibyte = 1024 * 1024;
/** The kind that this machine permits first, and the one for ordinary users, which root can use as well. */
const permitted = await findIsolation(child, tmpdir());
const levels = permitted.level === 'separate_user' ? (['separate_user', 'user_namespace'] as const) : [permitted.level];
const hiddenPaths = ['/etc/passwd', '/proc/1/environ', '/proc/self/environ', '/sys/kernel', '/root', '/home'].concat([
  '/old/etc/passwd',
  '/bin/sh',
  '/usr/bin/env',
]);
/** For programs: their room, and what an action comes to, as a code or a value. */
const prelude = `const room = process.env.TMPDIR.slice(0, -'/work'.length);
const attempt = async (act) => { try { return await act() } catch (error) { return error.code ?? String(error) } };`;

/** A process that has ended may remain as a zombie. */
function isRunning(pid: number): boolean {
  return /^State:\s+[^Z]/m.test(statusOf(pid));
}

/** A busy machine may take its time. */
const until = (condition: () => boolean): Promise<boolean> => eventually(condition, { timeoutMs: 120_000 });

const isolatedLevels = levels.filter((level) => level !== 'process_only');
(isolatedLevels.length === 0 ? describe.skip : describe).each(isolatedLevels.length === 0 ? ['none'] : isolatedLevels)(
  'a sandbox with %s',
  (level) => {
    let scratch: Scratch;
    let directory: string;
    const open: Sandbox[] = [];

    const sandboxOf = (options: Partial<SandboxOptions> = {}): Sandbox => {
      const found = () => Promise.resolve({ level: level as IsolationLevel, reason: null });
      const sandbox = createSandboxOf({ processes: 1, directory, ...options }, child, () => true, found);
      open.push(sandbox);
      return sandbox;
    };
    const runProgram = async (program: string, sandbox = sandboxOf()): Promise<unknown> =>
      JSON.parse((await scratch.run(sandbox, 'attack', 'test/program', prelude + program)).markdown);

    beforeAll(async () => {
      scratch = await Scratch.make();
      directory = await mkdtemp(join(tmpdir(), 'kiln-escape-'));
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
    });
    afterAll(async () => {
      await scratch.remove();
      await rm(directory, { recursive: true });
    });

    it('shows neither the worker, nor its environment, nor any file but the document and the program', async () => {
      const secret = join(directory, 'secret');
      await writeFile(secret, 'password', { mode: 0o644 });
      const paths = [
        secret,
        fileURLToPath(new URL('../../../../package.json', child)),
        `/proc/${process.pid}/environ`,
        ...hiddenPaths,
      ];
      const found = await runProgram(`
        import { access, readdir, readFile } from 'node:fs/promises';
        const paths = ${JSON.stringify(paths)};
        console.log(JSON.stringify({
          paths: await Promise.all(paths.map((path) => attempt(() => access(path)))),
          signal: await attempt(() => process.kill(${process.pid}, 0)),
          outside: await Promise.all(['etc/passwd', 'bin/sh'].map((path) => attempt(() => access(room + '/old/' + path)))),
          root: (await readdir('/')).sort(),
          room: (await readdir(room)).sort(),
          document: await readdir(room + '/document'),
          beside: await readdir(room + '/..'),
        }))`);
      expect(found).toMatchObject({
        paths: paths.map(() => 'ENOENT'),
        outside: ['ENOENT', 'ENOENT'],
        signal: 'ESRCH',
        room: ['data', 'document', 'old', 'work'],
        document: ['source'],
        beside: [expect.stringMatching(/^kiln-sandbox-/)],
      });
      const { root } = found as { root: string[] };
      const [program, scratchFolder] = [fileURLToPath(child), directory].map((path) => path.split('/')[1]);
      const known = new Set(['dev', 'etc', 'lib', 'lib32', 'lib64', 'proc', 'usr', program, scratchFolder]);
      expect(root.filter((name) => !known.has(name))).toStrictEqual([]);
    });

    it('shows the data of the languages that it is set to, read-only, and nothing beside them', async () => {
      const data = await mkdtemp(join(directory, 'data-'));
      for (const name of ['ell.traineddata', 'rus.traineddata', 'secret']) await writeFile(join(data, name), name);
      const found = await runProgram(
        `
        import { chmod, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
        const path = room + '/data/ell.traineddata';
        console.log(JSON.stringify({
          names: await readdir(room + '/data'),
          content: await readFile(path, 'utf8'),
          written: await attempt(() => writeFile(path, 'x')),
          changed: await attempt(() => chmod(path, 0o777)),
          removed: await attempt(() => unlink(path)),
          added: await attempt(() => writeFile(room + '/data/x', 'x')),
          original: await attempt(() => readdir(${JSON.stringify(data)})),
        }))`,
        sandboxOf({ ocrLanguages: ['eng', 'ell', 'ell', 'pol'], ocrDataDirectory: data }),
      );
      expect(found).toStrictEqual({
        names: ['ell.traineddata'],
        content: 'ell.traineddata',
        written: expect.stringMatching(/EROFS|EACCES/),
        changed: expect.stringMatching(/EROFS|EPERM/),
        removed: expect.stringMatching(/EROFS|EBUSY|EACCES/),
        added: expect.stringMatching(/EROFS|EACCES/),
        original: 'ENOENT',
      });
    });

    it('has no network: neither this machine, nor another, nor a name server, nor an abstract socket', async () => {
      const server: Server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const abstract = createServer().listen(`\0kiln-escape-${process.pid}`);
      await once(abstract, 'listening');
      try {
        const found = await runProgram(`
          import { createConnection } from 'node:net';
          import { lookup } from 'node:dns/promises';
          import { createSocket } from 'node:dgram';
          import { networkInterfaces } from 'node:os';
          const connect = (to) => attempt(() => new Promise((resolve, reject) => {
            const socket = createConnection(to, () => { socket.destroy(); resolve('connected') }).once('error', reject);
          }));
          const send = () => attempt(() => new Promise((resolve, reject) => {
            const socket = createSocket('udp4');
            socket.send('x', 53, '192.0.2.1', (error) => { socket.close(); error ? reject(error) : resolve('sent') });
          }));
          console.log(JSON.stringify({
            here: await connect({ host: '127.0.0.1', port: ${(server.address() as AddressInfo).port} }),
            elsewhere: await connect({ host: '192.0.2.1', port: 80 }),
            abstract: await connect({ path: '\\0kiln-escape-${process.pid}' }),
            name: await attempt(() => lookup('localhost.example.com')),
            datagram: await send(),
            interfaces: Object.keys(networkInterfaces()),
          }))`);
        expect(found).toStrictEqual({
          here: expect.stringMatching(/^(ENETUNREACH|ECONNREFUSED)$/),
          elsewhere: 'ENETUNREACH',
          abstract: 'ECONNREFUSED',
          name: expect.stringMatching(/^(EAI_AGAIN|ENOTFOUND)$/),
          datagram: 'ENETUNREACH',
          interfaces: [],
        });
      } finally {
        server.close();
        abstract.close();
      }
    });

    it('can write to its temporary folder only, and no more than its limit', async () => {
      const found = await runProgram(
        `
        import { chmod, writeFile, unlink } from 'node:fs/promises';
        const paths = ['/x', room + '/x', room + '/document/x', room + '/document/source', '/etc/x', '/dev/x', '/usr/lib/x', ${JSON.stringify(fileURLToPath(child))}];
        let written = 0;
        const fill = async () => { for (;; written++) await writeFile(room + '/work/' + written, Buffer.alloc(${mebibyte})) };
        console.log(JSON.stringify({
          outside: await Promise.all(paths.map((path) => attempt(() => writeFile(path, 'x')))),
          removed: await attempt(() => unlink(room + '/document/source')),
          changed: await attempt(() => chmod(${JSON.stringify(fileURLToPath(child))}, 0o777)),
          full: await attempt(fill),
          written,
        }));
        for (let count = 0; count < written; count++) await unlink(room + '/work/' + count);`,
        sandboxOf({ maxOutputBytes: mebibyte }),
      );
      expect(found).toMatchObject({ removed: 'EROFS', changed: expect.stringMatching(/EROFS|EPERM/), full: 'ENOSPC' });
      const { outside, written } = found as { outside: string[]; written: number };
      expect(outside.filter((code) => code !== 'EROFS' && code !== 'EACCES')).toStrictEqual([]);
      expect(written).toBeLessThanOrEqual(3);
    });

    // The kernel exempts the user 0 of the machine.
    const isExempt = level === 'user_namespace' && process.getuid?.() === 0;
    (isExempt ? it.skip : it)('starts a bounded number of processes', async () => {
      const found = await runProgram(
        `
        import { spawn } from 'node:child_process';
        import { once } from 'node:events';
        const start = () => {
          const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
          return once(child, 'spawn').then(() => 'started');
        };
        let started = 0, outcome = 'started';
        for (; outcome === 'started' && started < 300; started++) outcome = await attempt(start);
        console.log(JSON.stringify({ outcome, started }));
        process.exit();`,
        sandboxOf({ memoryBytesMax: 16_384 * mebibyte }),
      );
      expect(found).toMatchObject({ outcome: 'EAGAIN' });
      expect((found as { started: number }).started).toBeLessThan(256);
    });

    it('counts the memory of all processes that it has started', async () => {
      const hoard = `const kept = Buffer.alloc(${120 * mebibyte}, 1); setInterval(() => kept.length, 1000);`;
      const run = runProgram(
        `
        import { spawn } from 'node:child_process';
        for (let count = 0; count < 4; count++) spawn(process.execPath, ['-e', ${JSON.stringify(hoard)}], { detached: true });`,
        sandboxOf({ memoryBytesMax: 400 * mebibyte }),
      );
      await expect(run).rejects.toMatchObject({
        code: 'file_too_large',
        message: expect.stringMatching(/more memory/),
      });
    });

    it('has no privileges, and can get none', async () => {
      const sandbox = sandboxOf();
      await scratch.run(sandbox, 'warm', 'test/environment', 'x');
      const [starter = 0] = sandbox.pids();
      const [reader = 0] = descendantsOf(starter);
      const status = statusOf(reader);
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
        expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'));
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
      if (level === 'separate_user') expect(uid).toBeGreaterThanOrEqual(2_147_418_112);
      else expect(uid).toBe(process.getuid?.());
    });

    it('leaves no process behind when a document is stopped, even one that has detached itself', async () => {
      const sandbox = sandboxOf();
      const program = `
        import { spawn } from 'node:child_process';
        spawn(process.execPath, ['-e', 'for (;;);'], { detached: true, stdio: 'ignore' }).unref();
        for (;;);`;
      const stop = new AbortController();
      const input = await scratch.input('attack', 'test/program', program);
      const run = sandbox.extract(input, stop.signal).catch((error: unknown) => error);
      await until(() => sandbox.pids().length === 1);
      const [starter = 0] = sandbox.pids();
      // The reader, the program, and the process that has detached itself.
      await until(() => descendantsOf(starter).length >= 3);
      const started = descendantsOf(starter);
      stop.abort();
      expect(await run).toMatchObject({ name: 'AbortError' });
      await until(() => !started.some(isRunning));
    });

    it('ends with the worker, however it is killed', async () => {
      const script = fileURLToPath(new URL('../fixtures/doomed-parent.js', child));
      const parent = spawn(process.execPath, [script, scratch.path, level], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const starter = Number(line.toString().trim());
      const started = [starter, ...descendantsOf(starter)];
      expect(started.length).toBeGreaterThanOrEqual(2);
      expect(started.filter(isRunning)).toStrictEqual(started);
      parent.kill('SIGKILL');
      await until(() => !started.some(isRunning));
    });

    it('removes the document and everything that the reader has written', async () => {
      const sandbox = sandboxOf();
      await runProgram(
        `import { writeFile } from 'node:fs/promises'; await writeFile(room + '/work/x', 'x'); console.log(1)`,
        sandbox,
      );
      const [room = ''] = readdirSync(directory).filter((name) => name.startsWith('kiln-sandbox-'));
      expect(readdirSync(join(directory, room, 'document'))).toStrictEqual([]);
      expect(readdirSync(join(directory, room, 'work'))).toStrictEqual([]);
      await sandbox.close();
      expect(readdirSync(directory).filter((name) => name.startsWith('kiln-sandbox-'))).toStrictEqual([]);
    });
  },
);

describe('a system without namespaces', () => {
  it('reads no document unless the caller accepts that', async () => {
    const scratch = await Scratch.make();
    const nothing = () => Promise.resolve({ level: 'process_only', reason: 'not permitted' } as const);
    const strict = createSandboxOf({ processes: 1 }, child, () => true, nothing);
    const lenient = createSandboxOf({ processes: 1, isolation: 'preferred' }, child, () => true, nothing);
    try {
      await expect(scratch.run(strict, 'a', 'test/environment', 'x')).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringMatching(/not permitted/),
      });
      expect(strict.pids()).toStrictEqual([]);
      await scratch.run(lenient, 'a', 'test/environment', 'x');
      expect(lenient.stats().isolation).toBe('process_only');
    } finally {
      await Promise.all([strict.close(), lenient.close()]);
      await scratch.remove();
    }
  });
});
