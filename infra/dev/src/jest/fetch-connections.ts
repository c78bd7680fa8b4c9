/** The connections that `fetch` keeps open between requests: one pool for the process, which no spec can close. */

/** The pool of Node 26: https://undici.nodejs.org/#/docs/api/GlobalInstallation */
const POOL = Symbol.for('undici.globalDispatcher.2');
/** The pool of Node 24 and of the package undici. In Node 26, a wrapper of the pool. */
const EARLIER_POOL = Symbol.for('undici.globalDispatcher.1');

interface Pool {
  readonly constructor: new (wrapped?: Pool) => Pool;
  destroy(): Promise<void>;
}

/** Ends them, and requests whose response was not read to its end. The next request opens a new pool. */
export async function closeFetchConnections(): Promise<void> {
  const holder = globalThis as unknown as Record<symbol, Pool | undefined>;
  const earlier = holder[EARLIER_POOL];
  const pool = holder[POOL] ?? earlier;
  if (pool === undefined) return;
  const fresh = new pool.constructor();
  if (holder[POOL] !== undefined) holder[POOL] = fresh;
  if (earlier !== undefined) holder[EARLIER_POOL] = earlier === pool ? fresh : new earlier.constructor(fresh);
  await pool.destroy();
}
