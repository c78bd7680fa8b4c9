import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildProcess } from './child-process.js';
import { LogFile } from './log-file.js';
import { isRunning } from './process-identity.js';
import { ProcessRegistry } from './process-registry.js';
import { waitUntil } from './wait-until.js';

const directory = mkdtempSync(join(tmpdir(), 'kiln-processes-'));
afterAll(() => rmSync(directory, { recursive: true }));

const start = (script: string, registry?: ProcessRegistry) =>
  ChildProcess.start({
    name: 'child',
    command: process.execPath,
    arguments: ['-e', script],
    environment: {},
    workingDirectory: directory,
    logPath: join(directory, 'child.log'),
    registry,
  });
const becomesTrue = async (condition: () => boolean) =>
  expect(await waitUntil(condition, { deadlineMilliseconds: 60_000 })).toBe(true);
const IDLE = 'setInterval(() => {}, 1000)';

describe('a child process', () => {
  it('is killed if it ignores the stop signal until the deadline', async () => {
    const child = await start(`process.on('SIGTERM', () => {}); console.log('deaf'); ${IDLE}`);
    await becomesTrue(() => child.log.tail() === 'deaf');
    expect(await child.stop('SIGTERM', 50)).toStrictEqual({ code: null, signal: 'SIGKILL' });
  });

  it('ends its own children when it exits', async () => {
    const child = await start(
      `const { pid } = require('child_process').spawn(process.execPath, ['-e', '${IDLE}']); console.log(pid); ${IDLE}`,
    );
    await becomesTrue(() => child.log.tail() !== '');
    const grandchild = Number(child.log.tail());
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    await becomesTrue(() => !isAlive(grandchild));
  });
});

describe('the process registry', () => {
  it('ends the processes of an earlier registry, and none whose start time differs', async () => {
    const path = join(directory, 'pids.json');
    const mine = await start(IDLE, new ProcessRegistry(path));
    const other = await start(IDLE);
    const recorded = JSON.parse(readFileSync(path, 'utf8')) as unknown[];
    recorded.push({ name: 'reused', pid: other.pid, startTime: '1' });
    writeFileSync(path, JSON.stringify(recorded));

    expect(await new ProcessRegistry(path).clearLeftovers()).toStrictEqual(['child']);
    expect(isRunning(mine.identity)).toBe(false);
    expect(isRunning(other.identity)).toBe(true);
    // Its registry records the end.
    await mine.exited;
    await other.stop();
  });
});

describe('a log file', () => {
  it('never exceeds its size limit and keeps one predecessor', () => {
    const log = new LogFile(join(directory, 'bounded.log'), 10);
    for (const line of ['12345678\n', 'abcdefgh\n', 'ABCDEFGH\n']) log.write(Buffer.from(line));
    log.close();
    expect(readFileSync(log.path, 'utf8')).toBe('ABCDEFGH\n');
    expect(readFileSync(`${log.path}.1`, 'utf8')).toBe('abcdefgh\n');
    expect(statSync(log.path).mode & 0o777).toBe(0o600);
    expect(log.tail(2)).toBe('abcdefgh\nABCDEFGH');
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
