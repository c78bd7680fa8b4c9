// PgBouncer in front of a database of a spec.
import { findServer, startPgBouncer, type RunningServer } from '@kiln/dev';
import { ownServerOptions } from './own-servers.js';

/** Why specs with PgBouncer are skipped. Null where it is installed or can be downloaded. */
export async function pgBouncerMissing(): Promise<string | null> {
  const options = await ownServerOptions('pgbouncer');
  return findServer('pgbouncer', options).then(
    () => null,
    () => 'PgBouncer is not installed, and cannot be downloaded',
  );
}

/** `databaseUrl` has the role and the password by which clients log in. */
export async function startPooler(databaseUrl: string, poolSize: number): Promise<RunningServer> {
  return startPgBouncer({ ...(await ownServerOptions('pgbouncer')), databaseUrl, poolSize });
}
