import { expect, it } from '@jest/globals';
import { createLogger } from '../observability/logger.js';
import { Shutdown } from './shutdown.js';

const silent = createLogger({ service: 'test', role: 'all', level: 'error' }, { write: () => {} });

it('phases run in order, and a phase that fails or hangs does not block the next', async () => {
  const shutdown = new Shutdown(silent);
  const ran: string[] = [];
  shutdown.addPhase('intake', 1_000, async () => void ran.push('intake'));
  shutdown.addPhase('broken', 1_000, () => Promise.reject(new Error('no')));
  shutdown.addPhase('hanging', 10, () => new Promise(() => {}));
  shutdown.addPhase('close', 1_000, async () => void ran.push('close'));
  await shutdown.run();
  expect(ran).toStrictEqual(['intake', 'close']);
});

it('runs once if it is requested twice', async () => {
  const shutdown = new Shutdown(silent);
  let runs = 0;
  shutdown.addPhase('close', 1_000, async () => void runs++);
  await Promise.all([shutdown.run(), shutdown.run()]);
  expect(runs).toBe(1);
});
