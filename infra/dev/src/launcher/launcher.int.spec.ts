// Real: launcher, Postgres, NATS, Redis, object store, processes and signals. Stand-ins: the services.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
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
  assert.ok(await waitUntil(condition, { deadlineMilliseconds: 30_000 }), what);
}

for (const { title, account, skip } of isRoot ? accounts : accounts.slice(0, 1)) {
  describe(`the launcher ${title}`, { skip }, () => {
    const installation = new FakeInstallation();
    const dataDir = installation.dataDirectory('data', account);
    const start = () => installation.start({ dataDir, ...(account && { account }) });
    after(() => installation.remove());

    it('brings up everything, keeps its secrets to its owner, and stops without leaving a process', async () => {
      const system = await start();
      const run = system.runJson();
      assert.equal(run.base_url, system.baseUrl);
      assert.deepEqual(
        run.services.map(({ name, role }) => `${name}/${role}`),
        ['gateway/api', 'files/api', 'jobs/worker'],
      );
      for (const { health_url } of run.services) assert.ok(await answersOk(`${health_url}/livez`));
      for (const file of ['run.json', 'pids.json', 'nats/nats.conf', 'redis/redis.conf']) {
        assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, `${file} is its owner's alone`);
      }
      const ports = [run.postgres.url, run.nats.url, run.redis.url, run.object_store.url].map(
        (url) => new URL(url).port,
      );
      for (const port of ports) assert.ok(Number(port) < 32_768, `${port} is below the outgoing range`);

      assert.equal(await system.stop(), 0);
      for (const pid of pidsOf(run)) assert.equal(startTimeOf(pid), undefined, `${pid} is gone`);
      assert.deepEqual(processesBelow(dataDir), []);
      assert.equal(existsSync(join(dataDir, 'run.json')), false);
    });

    it('keeps its data between runs', async () => {
      const first = await start();
      await query(first.runJson().postgres.url, 'create table kept as select 42 as answer');
      await first.stop();
      const second = await start();
      assert.deepEqual(await query(second.runJson().postgres.url, 'select answer from kept'), [{ answer: 42 }]);
      await second.stop();
    });

    it('goes on after kill -9 of itself, first clearing away its own leftovers', async () => {
      const killed = await start();
      const left = pidsOf(killed.runJson()).map((pid) => ({ pid, startTime: startTimeOf(pid) ?? '' }));
      const port = Number(new URL(killed.baseUrl).port);
      await killed.killLauncher();
      assert.ok(left.every(isRunning), 'the children outlive the launcher');

      const next = await installation.start({ dataDir, port, ...(account && { account }) });
      assert.match(next.output(), /cleared what an earlier run left: .*postgres/);
      assert.equal(left.some(isRunning), false);
      assert.equal(await next.stop(), 0);
    });
  });
}

describe('a running launcher', () => {
  const installation = new FakeInstallation();
  const dataDir = installation.dataDirectory('data');
  let running: Promise<RunningSystem> | undefined;
  const system = () => (running ??= installation.start({ dataDir }));
  after(() => installation.remove());

  it('refuses a second launcher on its data directory, naming the first', async () => {
    const { pid } = await system();
    await assert.rejects(installation.start({ dataDir }), new RegExp(`pid ${pid}\\) runs on ${dataDir}`));
    assert.ok(await answersOk(`${(await system()).baseUrl}/readyz`), 'the first is untouched');
  });

  it('lets another instance run beside it, with its own port and data directory', async () => {
    const other = await installation.start({ dataDir: installation.dataDirectory('other') });
    const both = [...pidsOf((await system()).runJson()), ...pidsOf(other.runJson())];
    assert.equal(new Set(both).size, both.length);
    assert.equal(await other.stop(), 0);
    assert.ok(await answersOk(`${(await system()).baseUrl}/readyz`), 'the first is untouched');
  });

  it('says which port is taken, and how to choose another', async () => {
    const port = Number(new URL((await system()).baseUrl).port);
    const starting = installation.start({ dataDir: installation.dataDirectory('taken'), port });
    await assert.rejects(starting, new RegExp(`Cannot listen on 127.0.0.1:${port}.*KILN_PORT=8081`, 's'));
  });

  it('restarts a killed service on the same health port and rewrites run.json', async () => {
    const { runJson } = await system();
    const before = runJson().services[1];
    assert.ok(before);
    process.kill(before.pid, 'SIGKILL');
    await eventually(() => runJson().services[1]?.pid !== before.pid, 'run.json names a new process');
    assert.deepEqual({ ...runJson().services[1], pid: before.pid }, before);
    await eventually(() => answersOk(`${before.health_url}/readyz`), 'the service serves again');
  });

  for (const name of ['postgres', 'nats', 'redis', 'object_store'] as const) {
    it(`restarts ${name} after kill -9, at the same address`, async () => {
      const { runJson } = await system();
      const before = runJson()[name];
      process.kill(Number(before.pid), 'SIGKILL');
      await eventually(() => runJson()[name].pid !== before.pid, `${name} runs again`);
      assert.equal(runJson()[name].url, before.url);
      if (name === 'postgres') assert.deepEqual(await query(before.url, 'select 1 as one'), [{ one: 1 }]);
    });
  }

  it('keeps no secret in what it prints or logs', async () => {
    const { runJson, output, apiKey } = await system();
    const { postgres, nats, redis, object_store } = runJson();
    const secrets = [postgres, nats, redis].map(({ url }) => new URL(url).password);
    const logs = ['postgres', 'nats', 'redis', 'object-store'].map((name) =>
      readFileSync(join(dataDir, 'logs', `${name}.log`), 'utf8'),
    );
    for (const secret of [...secrets, object_store.secret_access_key, apiKey]) {
      assert.ok(secret.length >= 32);
      for (const text of [output(), ...logs]) assert.equal(text.includes(secret), false);
    }
  });
});

describe('a start that cannot succeed', () => {
  const installation = new FakeInstallation();
  after(() => installation.remove());

  it('names the service that keeps crashing, shows the end of its log, and leaves no process', async () => {
    const dataDir = installation.dataDirectory('data');
    const starting = installation.start({ dataDir, environment: { KILN_FAKE_CRASH: 'worker' } });
    await assert.rejects(starting, /the fake service was told to crash[^]*jobs-worker ended 5 times while starting/);
    assert.deepEqual(processesBelow(dataDir), []);
  });

  it('leaves no process when it is stopped in the middle', async () => {
    const dataDir = installation.dataDirectory('interrupted');
    await assert.rejects(installation.start({ dataDir, timeoutMs: 1_000 }), /stopping/);
    assert.deepEqual(processesBelow(dataDir), []);
  });

  it('refuses pools that Postgres has not enough connections for, and says what to change', async () => {
    const dataDir = installation.dataDirectory('pools');
    const environment = { KILN_DATABASE_CONNECTIONS: '60' };
    await assert.rejects(
      installation.start({ dataDir, environment }),
      /3 processes may open 180 connections to Postgres.*it accepts 147\. Raise max_connections to at least 193/,
    );
    assert.deepEqual(processesBelow(dataDir), []);
  });

  it('lists every wrong variable at once', async () => {
    const dataDir = installation.dataDirectory('wrong');
    const environment = { KILN_PORT: 'eighty', NATS_URL: 'localhost:4222' };
    await assert.rejects(installation.start({ dataDir, environment }), /KILN_PORT must[^]*NATS_URL must/);
  });

  it('says what is not built', async () => {
    const dataDir = installation.dataDirectory('empty');
    const environment = { KILN_FAKE_SERVICES: dataDir };
    await assert.rejects(installation.start({ dataDir, environment }), /Not built yet:[^]*npm run build/);
  });
});
