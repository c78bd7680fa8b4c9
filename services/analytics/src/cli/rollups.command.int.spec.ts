// Real: the command, Postgres. Faked: nothing.
import { expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { startAnalytics } from '../test/analytics-harness.js';

const COMMAND = fileURLToPath(new URL('rollups.command.js', import.meta.url));

it('kiln rollups rebuild lets a statement take longer than the services’ statements may', async () => {
  const kiln = await startAnalytics();
  const other = await kiln.database.dedicatedClient();
  try {
    await kiln.sql('insert into tenant_totals (tenant_id, failed) values ($1, 3)', [uuidv7()]);
    // A statement of the command waits until this lock is released. The superuser sees what other sessions wait for.
    await other.query(`set role none; select pg_advisory_lock(hashtextextended('kiln_analytics_rebuild', 0))`);
    const environment = { DATABASE_URL: kiln.databaseUrl, KILN_DATABASE_STATEMENT_TIMEOUT_MS: '100' };
    const command = promisify(execFile)(process.execPath, [COMMAND, 'rebuild'], { env: environment });
    // The driver gave up a second after the server's time-out.
    const text = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory' and now() - query_start > interval '2 seconds'`;
    await eventually(async () => (await other.query(text)).rowCount === 1, { timeoutMs: 60_000 });
    await other.query('select pg_advisory_unlock_all()');
    expect((await command).stdout).toMatch(/tenant_totals 1\n1 tenants rebuilt\n$/);
  } finally {
    await other.end();
    await kiln.close();
  }
});
