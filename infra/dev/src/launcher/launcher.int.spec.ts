/** @slow */
// Real: launcher, Postgres, NATS, Redis, object store, processes and signals. Faked: the services.
import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  FakeInstallation,
  ordinaryAccount,
  pidsOf,
  processesBelow,
  type TestAccount,
} from '../fixtures/fake-installation.js';
import { isRunning, startTimeOf } from '../processes/process-identity.js';
import { waitUntil } from '../processes/wait-until.js';
import { answersOk } from '../servers/object-store.js';
import type { RunningSystem } from '../start-system.js';

const isRoot = process.getuid?.() === 0;
const ordinary = ordinaryAccount();
const accounts: { title: string; account: TestAccount; skip: string | false }[] = [
  { title: isRoot ? 'as root' : 'as an ordinary user', account: undefined, skip: false },
  {
    title: 'as an ordinary user',
    account: ordinary,
    skip: !isRoot || ordinary ? false : 'no other account can reach this checkout',
  },
];

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await waitUntil(condition, { deadlineMilliseconds: 60_000 }))) throw new Error(`not within 60 s: ${what}`);
}

const answers = (url: string) => eventually(() => answersOk(url), `${url} answers`);

for (const { title, account, skip } of isRoot ? accounts : accounts.slice(0, 1)) {
  (skip ? describe.skip : describe)(`the launcher ${title}`, () => {
    const installation = new FakeInstallation();
    const dataDir = installation.dataDirectory('data', account);
    const start = () => installation.start({ dataDir, ...(account && { account }) });
    afterAll(() => installation.remove());

    it('starts everything, protects its secrets by file permissions, and stops without leaving a process', async () => {
      const system = await start();
      const run = system.runJson();
      expect(run.base_url).toBe(system.baseUrl);
      expect(run.services.map(({ name, role }) => `${name}/${role}`)).toStrictEqual([
        'gateway/api',
        'files/api',
        'jobs/worker',
      ]);
      for (const { health_url } of run.services) await answers(`${health_url}/livez`);
      const secretFiles = ['run.json', 'pids.json', 'nats/nats.conf', 'redis/redis.conf'];
      const permissions = secretFiles.map((file) => [file, statSync(join(dataDir, file)).mode & 0o777]);
      expect(permissions).toStrictEqual(secretFiles.map((file) => [file, 0o600]));
      const ports = [run.postgres.url, run.nats.url, run.redis.url, run.object_store.url].map(
        (url) => new URL(url).port,
      );
      for (const port of ports) expect(Number(port)).toBeLessThan(32_768);
      await query(run.postgres.url, 'create table kept as select 42 as answer');

      expect(await system.stop()).toBe(0);
      expect(pidsOf(run).filter((pid) => startTimeOf(pid) !== undefined)).toStrictEqual([]);
      expect(processesBelow(dataDir)).toStrictEqual([]);
      expect(existsSync(join(dataDir, 'run.json'))).toBe(false);
    });

    it('keeps its data between runs, and recovers after kill -9 of the launcher by first stopping the leftover processes', async () => {
      const killed = await start();
      expect(await query(killed.runJson().postgres.url, 'select answer from kept')).toStrictEqual([{ answer: 42 }]);
      const left = pidsOf(killed.runJson()).map((pid) => ({ pid, startTime: startTimeOf(pid) ?? '' }));
      const port = Number(new URL(killed.baseUrl).port);
      await killed.killLauncher();
      // The children are still running.
      expect(left.filter(isRunning)).toStrictEqual(left);

      const next = await installation.start({ dataDir, port, ...(account && { account }) });
      expect(next.output()).toMatch(/stopped leftovers of an earlier run: .*postgres/);
      expect(left.filter(isRunning)).toStrictEqual([]);
      expect(await next.stop()).toBe(0);
    });
  });
}

describe('a running launcher', () => {
  const installation = new FakeInstallation();
  const dataDir = installation.dataDirectory('data');
  let running: Promise<RunningSystem> | undefined;
  let runningBeside: Promise<RunningSystem> | undefined;
  const start = (directory: string, facts: object) =>
    installation.start({ dataDir: directory, environment: { KILN_FAKE_FACTS: JSON.stringify(facts) } });
  const system = () => (running ??= start(dataDir, { extraction_isolation: 'user_namespace' }));
  const systemBeside = () =>
    (runningBeside ??= start(installation.dataDirectory('other'), {
      extraction_isolation: 'process_only',
      extraction_isolation_reason: 'user_namespace: unshare failed',
    }));
  afterAll(() => installation.remove());

  it('rejects a second launcher on its data directory, and names the first', async () => {
    const { pid } = await system();
    await expect(installation.start({ dataDir })).rejects.toThrow(new RegExp(`pid ${pid}\\) runs on ${dataDir}`));
    // The first is untouched.
    await answers(`${(await system()).baseUrl}/readyz`);
  });

  it('allows another instance with its own port and data directory', async () => {
    const other = await systemBeside();
    const both = [...pidsOf((await system()).runJson()), ...pidsOf(other.runJson())];
    expect(new Set(both).size).toBe(both.length);
    expect(await other.stop()).toBe(0);
    // The first is untouched.
    await answers(`${(await system()).baseUrl}/readyz`);
  });

  it('reports which port is in use, and how to choose another', async () => {
    const port = Number(new URL((await system()).baseUrl).port);
    const starting = installation.start({ dataDir: installation.dataDirectory('taken'), port });
    await expect(starting).rejects.toThrow(new RegExp(`Cannot listen on 127.0.0.1:${port}.*KILN_PORT=8081`, 's'));
  });

  it('restarts a killed service on the same health port and rewrites run.json', async () => {
    const { runJson } = await system();
    const before = runJson().services[1];
    if (!before) throw new Error('no before');
    process.kill(before.pid, 'SIGKILL');
    await eventually(() => runJson().services[1]?.pid !== before.pid, 'run.json names a new process');
    expect({ ...runJson().services[1], pid: before.pid }).toStrictEqual(before);
    await eventually(() => answersOk(`${before.health_url}/readyz`), 'the service serves again');
  });

  for (const name of ['postgres', 'nats', 'redis', 'object_store'] as const) {
    it(`restarts ${name} after kill -9, at the same address`, async () => {
      const { runJson } = await system();
      const before = runJson()[name];
      process.kill(Number(before.pid), 'SIGKILL');
      await eventually(() => runJson()[name].pid !== before.pid, `${name} runs again`);
      expect(runJson()[name].url).toBe(before.url);
      if (name === 'postgres') expect(await query(before.url, 'select 1 as one')).toStrictEqual([{ one: 1 }]);
    });
  }

  it('prints the isolation of readers, with the reason where it is not the strongest', async () => {
    const outputs = [(await system()).output(), (await systemBeside()).output()];
    expect(outputs[0]).toMatch(/^ *[\d.]+s {2}documents are read at user_namespace$/m);
    expect(outputs[1]).toMatch(
      /^ *[\d.]+s {2}warning: documents are read at process_only, .*\(user_namespace: unshare failed\)/m,
    );
  });

  it('never prints or logs a secret', async () => {
    const { runJson, output, apiKey } = await system();
    const { postgres, nats, redis, object_store } = runJson();
    const secrets = [postgres, nats, redis].map(({ url }) => new URL(url).password);
    const logs = ['postgres', 'nats', 'redis', 'object-store'].map((name) =>
      readFileSync(join(dataDir, 'logs', `${name}.log`), 'utf8'),
    );
    for (const secret of [...secrets, object_store.secret_access_key, apiKey]) {
      expect(secret.length).toBeGreaterThanOrEqual(32);
      for (const text of [output(), ...logs]) expect(text).not.toContain(secret);
    }
  });
});

it('a start is repeated with other ports where another process took one meanwhile', async () => {
  const installation = new FakeInstallation();
  const taken = join(installation.directory, 'taken-port');
  const dataDir = installation.dataDirectory('data');
  const system = await installation.start({ dataDir, environment: { KILN_FAKE_TAKEN_PORT: taken } });
  expect(system.runJson().services[2]?.health_url).not.toContain(`:${readFileSync(taken, 'utf8')}`);
  await installation.remove();
});

describe('a start that cannot succeed', () => {
  const installation = new FakeInstallation();
  afterAll(() => installation.remove());

  it('names the service that keeps crashing, shows the end of its log, and leaves no process running', async () => {
    const dataDir = installation.dataDirectory('data');
    const starting = installation.start({ dataDir, environment: { KILN_FAKE_CRASH: 'worker' } });
    await expect(starting).rejects.toThrow(
      /the fake service crashes as configured[^]*jobs-worker ended 5 times while starting/,
    );
    expect(processesBelow(dataDir)).toStrictEqual([]);
  });

  it('leaves no process running when it is interrupted', async () => {
    const dataDir = installation.dataDirectory('interrupted');
    const launcher = installation.spawn(dataDir);
    let output = '';
    launcher.stdout.on('data', (text: Buffer) => (output += text.toString()));
    await eventually(() => processesBelow(dataDir).length > 0, 'a server is starting');
    const exited = once(launcher, 'close');
    launcher.kill('SIGTERM');
    expect(await exited).toStrictEqual([0, null]);
    expect(output).toMatch(/stopping/);
    expect(output).not.toMatch(/^ready/m);
    expect(processesBelow(dataDir)).toStrictEqual([]);
  });

  it('rejects pools that exceed the connections of Postgres, and says what to change', async () => {
    const dataDir = installation.dataDirectory('pools');
    const environment = { KILN_DATABASE_CONNECTIONS: '60' };
    await expect(installation.start({ dataDir, environment })).rejects.toThrow(
      /3 processes may open 180 connections to Postgres.*it accepts 147\. Raise max_connections to at least 193/,
    );
    expect(processesBelow(dataDir)).toStrictEqual([]);
  });

  it('lists every wrong variable at once', async () => {
    const dataDir = installation.dataDirectory('wrong');
    const environment = { KILN_PORT: 'eighty', NATS_URL: 'localhost:4222' };
    await expect(installation.start({ dataDir, environment })).rejects.toThrow(/KILN_PORT must[^]*NATS_URL must/);
  });

  it('reports missing build output', async () => {
    const dataDir = installation.dataDirectory('empty');
    const environment = { KILN_FAKE_SERVICES: dataDir };
    await expect(installation.start({ dataDir, environment })).rejects.toThrow(/Not built yet:[^]*npm run build/);
  });
});
