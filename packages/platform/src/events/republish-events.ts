// Publishes events again that are in the outboxes of all services: after the database was restored from a backup, or the storage of the broker
// was lost. Consumers drop those that their inbox knows.
import pg from 'pg';
import { roleOf } from '../postgres/data-source.js';

export interface RepublishOptions {
  /** A login that may take the role of each service, such as that of the migrations. */
  databaseUrl: string;
  /** Events that were published at this time or later. Outboxes keep them for a day. */
  since: Date;
  /** Counts only. */
  isDryRun: boolean;
}

export interface Republished {
  service: string;
  events: number;
}

const outboxes = `select n.nspname as service from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = 'outbox' and c.relkind = 'r' order by 1`;
const published = `published_at >= $1 and published_at <> 'infinity'`;
const CONNECT_TIMEOUT_MS = 10_000;

/** The relays of running services publish the events, so the services may run or start later. */
export async function republishEvents({ databaseUrl, since, isDryRun }: RepublishOptions): Promise<Republished[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ service: string }>(outboxes);
    const counts: Republished[] = [];
    for (const { service } of rows) {
      const outbox = `${client.escapeIdentifier(service)}.outbox`;
      await client.query('begin');
      await client.query(`set local role ${client.escapeIdentifier(roleOf(service))}`);
      const { rowCount } = isDryRun
        ? await client.query(`select 1 from ${outbox} where ${published}`, [since])
        : await client.query(`update ${outbox} set published_at = null where ${published}`, [since]);
      await client.query('commit');
      counts.push({ service, events: rowCount ?? 0 });
    }
    return counts;
  } finally {
    await client.end();
  }
}
