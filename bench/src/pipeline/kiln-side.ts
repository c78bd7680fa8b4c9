// A whole Kiln at its shipped settings with one webhook. Only the rate limit is raised.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import pg from 'pg';
import { keyOfOtherOrganization } from '../other-organization.js';
import { receiveDeliveries } from './deliveries.js';
import type { BenchDocument } from './documents.js';
import type { Side } from './measure.js';

export interface DatabaseWork {
  commits: number;
  rowChanges: number;
}

export interface KilnSide extends Side {
  system: RunningSystem;
  /** Throws unless search finds the document by its unique word. */
  assertFound(document: BenchDocument): Promise<void>;
  /** Commits and row changes of all services since the cluster started. */
  databaseWork(): Promise<DatabaseWork>;
  /** The same system for another organization. */
  otherTenant(): Promise<Side>;
  /** Pauses or resumes the jobs worker. */
  signalWorker(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

export async function startKiln(): Promise<KilnSide> {
  const deliveries = await receiveDeliveries();
  const system = await startSystem({
    environment: {
      KILN_OUTBOUND_ALLOW: '127.0.0.1',
      KILN_RATE_LIMIT_RPS: '1000000',
      KILN_RATE_LIMIT_BURST: '1000000',
    },
  });
  const authorization = `ApiKey ${system.apiKey}`;
  const post = async (path: string, json: object, key = authorization): Promise<unknown> => {
    const headers = { authorization: key, 'content-type': 'application/json' };
    const answer = await fetch(system.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(json) });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const webhook = { url: deliveries.url, events: ['file.processing.completed'] };
  await post('/v1/webhooks', webhook);
  const database = new pg.Client(system.runJson().postgres.url);
  await database.connect();
  return {
    system,
    url: system.baseUrl,
    authorization,
    pids: [system.pid],
    deliveries,
    assertFound: async ({ word }) => {
      const { total } = (await post('/v1/search', { query: word, mode: 'text' })) as { total: number };
      if (total !== 1) throw new Error(`search found ${total} files for ${word} after the webhook`);
    },
    databaseWork: async () => {
      const { rows } = await database.query<{ commits: string; changes: string }>(
        `select sum(xact_commit) as commits, sum(tup_inserted + tup_updated + tup_deleted) as changes from pg_stat_database`,
      );
      return { commits: Number(rows[0]?.commits), rowChanges: Number(rows[0]?.changes) };
    },
    otherTenant: async () => {
      const key = `ApiKey ${await keyOfOtherOrganization(system.dataDir)}`;
      await post('/v1/webhooks', webhook, key);
      return { url: system.baseUrl, authorization: key, pids: [system.pid], deliveries };
    },
    signalWorker: (signal) => {
      const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker');
      if (!worker?.pid) throw new Error('the jobs worker is not running');
      process.kill(worker.pid, signal);
    },
    stop: async () => {
      await database.end();
      await system.stop();
      deliveries.close();
    },
  };
}
