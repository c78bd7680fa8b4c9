// The baseline with its own Postgres, so that CPU time is measured per side.
import { makeTemporaryHome, startPostgres } from '@kiln/dev';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { receiveDeliveries } from './deliveries.js';
import type { Side } from './measure.js';

export async function startBare(): Promise<Side & { stop(): Promise<void> }> {
  const deliveries = await receiveDeliveries();
  const folder = await mkdtemp(join(tmpdir(), 'kiln-bench-'));
  const home = await makeTemporaryHome();
  const postgres = await startPostgres({ directory: join(home.directory, 'postgres'), registry: home.registry });
  const script = fileURLToPath(new URL('bare-pipeline.js', import.meta.url));
  const child = spawn(process.execPath, [script, postgres.url, folder, deliveries.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${Number(line.toString())}`,
    authorization: 'none',
    pids: [child.pid ?? 0, postgres.pid ?? 0],
    deliveries,
    stop: async () => {
      child.kill();
      await postgres.stop();
      home.remove();
      deliveries.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
