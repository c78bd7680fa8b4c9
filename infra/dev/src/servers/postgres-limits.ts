/** The number of connections that a Postgres server accepts. */
import { Client } from 'pg';
import type { ConnectionLimits } from '../launcher/connection-budget.js';

/** `reserved_connections` exists since PostgreSQL 16. */
const LIMITS = `select current_setting('max_connections')::int as max,
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`;

export async function readConnectionLimits(url: string): Promise<ConnectionLimits> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  client.on('error', () => undefined); // A lost connection fails the next query.
  try {
    await client.connect();
    const { rows } = await client.query<{ max: number; reserved: number }>(LIMITS);
    const [limits] = rows;
    if (!limits) throw new Error('Postgres returned no row');
    return limits;
  } finally {
    await client.end().catch(() => undefined);
  }
}
