/** Waits until every process of a system that starts answers its readiness check. */
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import { waitUntil } from '../processes/wait-until.js';
import { answersOk } from '../servers/object-store.js';

const DEADLINE_MILLISECONDS = 120_000;

/**
 * Returns when all URLs answer, or early when the start has failed. Throws an error with the names that are missing at the deadline.
 */
export async function waitUntilReady(
  urls: ReadonlyMap<string, string>,
  { isFailed, dataDirectory }: { isFailed: () => boolean; dataDirectory: string },
): Promise<void> {
  const waiting = new Set(urls.keys());
  const ready = await Promise.all(
    [...urls].map(([name, url]) =>
      waitUntil(
        async () => {
          if (isFailed() || !(await answersOk(url))) return isFailed();
          return waiting.delete(name);
        },
        { deadlineMilliseconds: DEADLINE_MILLISECONDS, intervalMilliseconds: 100 },
      ),
    ),
  );
  if (isFailed() || !ready.includes(undefined)) return;
  throw new LauncherError(
    'service_start_failed',
    `Not ready after ${DEADLINE_MILLISECONDS / 1000} s: ${[...waiting].join(', ')}. ` +
      `See the logs in ${join(dataDirectory, 'logs')}.`,
  );
}
