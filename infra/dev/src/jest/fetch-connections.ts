/** The connections that `fetch` keeps open between requests: one pool for the process, which no spec can close. */

/** Where Node 26, and Node 24, keep the pool: https://undici.nodejs.org/#/docs/api/GlobalInstallation */
const POOLS = [Symbol.for('undici.globalDispatcher.2'), Symbol.for('undici.globalDispatcher.1')];

interface Pool {
  readonly constructor: new () => Pool;
  destroy(): Promise<void>;
}

/** Ends them, and requests whose response was not read to its end. The next request opens a new pool. */
export async function closeFetchConnections(): Promise<void> {
  const holder = globalThis as unknown as Record<symbol, Pool | undefined>;
  for (const name of POOLS) {
    const pool = holder[name];
    if (pool === undefined) continue;
    holder[name] = new pool.constructor();
    await pool.destroy();
    return;
  }
}
