/** @own-modules */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';

const HOUR_MS = 3_600_000;
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('a spec file with modules of its own', () => {
  // The environment fails this file if the module that other files share has made the id.
  it('leaves the clock of UUIDs of other files where it was', () => {
    jest.useFakeTimers({ now: Date.now() + HOUR_MS });
    uuidv7();
    jest.useRealTimers();
    expect(timeOf(uuidv7())).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  });
});

describe('every spec file', () => {
  it('runs in the global scope of its worker, so classes of Node are its own', () => {
    expect(new Error('own')).toBeInstanceOf(globalThis.Error);
    expect(() => process.chdir('/nowhere')).toThrow(Error);
    expect(Object.getPrototypeOf(process.memoryUsage())).toBe(Object.prototype);
  });
});

describe('a worker', () => {
  it('ends when its Jest is gone, even with an open handle', async () => {
    const runner = new URL('./runner.js', import.meta.url).href;
    const script = `await import(${JSON.stringify(runner)}); setInterval(() => {}, 1e9); process.send('ready')`;
    const worker = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    try {
      await once(worker, 'message');
      const exited = once(worker, 'exit');
      worker.disconnect();
      expect(await exited).toStrictEqual([1, null]);
    } finally {
      worker.kill('SIGKILL');
    }
  });
});
