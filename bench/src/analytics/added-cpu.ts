// What analytics adds to the CPU time of a small file's way through the system. The analytics process and its Postgres backends are measured
// while files are uploaded to a whole system. What the files service does for it, the triggers and the announcement, is measured apart.
import { AnnounceChangesWorker } from '@kiln/files/changes/announce-changes.worker';
import { ChangedFileStore } from '@kiln/files/changes/changed-file.store';
import { migrateBuiltService } from '@kiln/dev';
import { startSystem } from '@kiln/dev/start-system';
import { createLogger, Database } from '@kiln/platform';
import { createTestDatabase } from '@kiln/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { median } from '../median.js';
import { cpuSeconds } from '../process-tree.js';

const FILES = 2_000;
const CONNECTIONS = 16;
const ROUNDS = 5;
/** Files that a statement of the files service changes together, as under load. */
const GROUP = 8;

const body = (index: number) => {
  const form = new FormData();
  form.set('file', new Blob([`# Report ${index}\n\n${'All work and no play. '.repeat(90)}`]), `report-${index}.md`);
  return form;
};

/** CPU milliseconds of analytics for a file, and the files per second at which it was measured. */
export async function analyticsCpu(): Promise<{
  milliseconds: number;
  filesPerSecond: number;
  wholeMilliseconds: number;
}> {
  const system = await startSystem({
    environment: { KILN_RATE_LIMIT_RPS: '1000000', KILN_RATE_LIMIT_BURST: '1000000' },
  });
  const client = new pg.Client(system.runJson().postgres.url);
  await client.connect();
  try {
    const pid = system.runJson().services.find(({ name }) => name === 'analytics')?.pid ?? 0;
    const used = async () => {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'kiln-analytics'`,
      );
      return cpuSeconds([pid, ...rows.map((row) => row.pid)]);
    };
    const headers = { authorization: `ApiKey ${system.apiKey}` };
    const overview = async () => {
      const answer = await fetch(`${system.baseUrl}/v1/analytics/overview`, { headers });
      return (await answer.json()) as { files_by_status: { completed: number } };
    };
    let sent = 0;
    const uploadUntil = async (end: number) => {
      while (sent < end)
        await (await fetch(`${system.baseUrl}/v1/upload`, { method: 'POST', headers, body: body(sent++) })).text();
    };
    const run = async (files: number) => {
      const end = sent + files;
      await Promise.all(Array.from({ length: CONNECTIONS }, () => uploadUntil(end)));
      while ((await overview()).files_by_status.completed < end) await sleep(250);
    };
    await run(500);
    const [before, wholeBefore, startedAt] = [await used(), cpuSeconds([system.pid]), performance.now()];
    await run(FILES);
    const filesPerSecond = (FILES * 1_000) / (performance.now() - startedAt);
    return {
      milliseconds: (((await used()) - before) * 1_000) / FILES,
      wholeMilliseconds: ((cpuSeconds([system.pid]) - wholeBefore) * 1_000) / FILES,
      filesPerSecond,
    };
  } finally {
    await client.end();
    await system.stop();
  }
}

/** CPU milliseconds of this process and its Postgres backends for a file: the triggers on its changes, and its announcement. */
export async function announcingCpu(): Promise<number> {
  const created = await createTestDatabase();
  await migrateBuiltService('files', created.url);
  const database = await Database.open(
    { url: created.url, schema: 'files', connectionsMax: 1, statementTimeoutMs: 60_000 },
    () => undefined,
  );
  const client = new pg.Client({ connectionString: created.url, options: '-c search_path=files,public' });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database()`,
  );
  const used = () => cpuSeconds([process.pid, ...rows.map(({ pid }) => pid)]);
  const logger = createLogger({ service: 'bench', role: 'all', level: 'error' });
  const worker = new AnnounceChangesWorker(database, new ChangedFileStore(database), logger);
  const tenantId = uuidv7();
  const held = await client.query<{ id: string }>(`select id from hold_spaces($1, array['default'])`, [tenantId]);
  const spaceId = held.rows[0]?.id;
  const change = async () => {
    for (let count = 0; count < FILES; count += GROUP) {
      const ids = Array.from({ length: GROUP }, () => uuidv7());
      const values = [tenantId, ids];
      await client.query({
        name: 'add',
        text: `insert into files (tenant_id, id, space_id, filename, status) select $1, unnest($2::uuid[]), $3, 'a.md', 'uploaded'`,
        values: [...values, spaceId],
      });
      for (const status of ['processing', 'completed']) {
        await client.query({
          name: status,
          text: `update files set status = '${status}' where tenant_id = $1 and id = any($2::uuid[])`,
          values,
        });
      }
    }
  };
  const spent = async (work: () => Promise<void>) => {
    const before = used();
    await work();
    return ((used() - before) * 1_000) / FILES;
  };
  const differences: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await client.query('alter table files disable trigger files_are_noted_when_changed');
    const without = await spent(change);
    await client.query('alter table files enable trigger files_are_noted_when_changed');
    const noted = await spent(change);
    const announced = await spent(async () => {
      while (await worker.round());
    });
    if (round > 0) differences.push(noted - without + announced);
  }
  await client.end();
  await database.close();
  await created.drop();
  return median(differences);
}
