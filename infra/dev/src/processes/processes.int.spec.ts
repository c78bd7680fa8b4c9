import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ChildProcess } from './child-process.js';
import { LogFile } from './log-file.js';
import { isRunning } from './process-identity.js';
import { ProcessRegistry } from './process-registry.js';

const directory = mkdtempSync(join(tmpdir(), 'kiln-processes-'));
after(() => rmSync(directory, { recursive: true }));

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
const IDLE = 'setInterval(() => {}, 1000)';

describe('a child process', () => {
  it('is killed when it ignores the request to stop until the deadline', async () => {
    const child = await start(`process.on('SIGTERM', () => {}); console.log('deaf'); ${IDLE}`);
    while (child.log.tail() !== 'deaf') await new Promise(setImmediate);
    assert.deepEqual(await child.stop('SIGTERM', 50), { code: null, signal: 'SIGKILL' });
  });

  it('takes its own children along when it dies', async () => {
    const child = await start(
      `const { pid } = require('child_process').spawn(process.execPath, ['-e', '${IDLE}']); console.log(pid); ${IDLE}`,
    );
    while (child.log.tail() === '') await new Promise(setImmediate);
    const grandchild = Number(child.log.tail());
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    while (isAlive(grandchild)) await new Promise(setImmediate);
  });
});

describe('the process registry', () => {
  it('ends what an earlier registry recorded, and nothing whose start time differs', async () => {
    const path = join(directory, 'pids.json');
    const mine = await start(IDLE, new ProcessRegistry(path));
    const other = await start(IDLE);
    const recorded = JSON.parse(readFileSync(path, 'utf8')) as unknown[];
    recorded.push({ name: 'reused', pid: other.pid, startTime: '1' });
    writeFileSync(path, JSON.stringify(recorded));

    assert.deepEqual(await new ProcessRegistry(path).clearLeftovers(), ['child']);
    assert.equal(isRunning(mine.identity), false);
    assert.equal(isRunning(other.identity), true);
    await other.stop();
  });
});

describe('a log file', () => {
  it('never grows past its bound and keeps one predecessor', () => {
    const log = new LogFile(join(directory, 'bounded.log'), 10);
    for (const line of ['12345678\n', 'abcdefgh\n', 'ABCDEFGH\n']) log.write(Buffer.from(line));
    log.close();
    assert.equal(readFileSync(log.path, 'utf8'), 'ABCDEFGH\n');
    assert.equal(readFileSync(`${log.path}.1`, 'utf8'), 'abcdefgh\n');
    assert.equal(statSync(log.path).mode & 0o777, 0o600);
    assert.equal(log.tail(2), 'abcdefgh\nABCDEFGH');
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
