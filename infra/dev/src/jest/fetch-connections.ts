/** The connections that `fetch` keeps open between requests: one pool for the process, which no spec can close. */

/** Where Node keeps the pool: https://undici.nodejs.org/#/docs/api/GlobalInstallation */
const POOL = Symbol.for('undici.globalDispatcher.1');

interface Pool {
  readonly constructor: new () => Pool;
  destroy(): Promise<void>;
}

/** Ends them, and requests whose response nobody read to its end. The next request opens a new pool. */
export async function closeFetchConnections(): Promise<void> {
  const holder = globalThis as { [POOL]?: Pool };
  const pool = holder[POOL];
  if (pool === undefined) return;
  holder[POOL] = new pool.constructor();
  await pool.destroy();
}
