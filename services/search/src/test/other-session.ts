import type { Database } from '@kiln/platform';

/** A superuser sees what other sessions wait for, and may lock tables and terminate sessions. */
export async function openSuperuser(database: Database) {
  const session = await database.dedicatedClient();
  await session.query('set role none');
  return session;
}

export const BLOCKED = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
