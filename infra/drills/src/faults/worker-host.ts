/** One of two hosts of workers is cut off, with the jobs that it runs. */
import { eventually, repositoryDirectory } from '@kiln/dev';
import type { RunJson, RunningSystem } from '@kiln/dev/start-system';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Drill } from '../drill.js';
import { Place } from '../place.js';
import { OtherHost, otherHostMissing } from '../servers/other-host.js';

export const workerHost: Drill = {
  name: 'worker-host',
  lacks: otherHostMissing,
  prepare: async () => {
    const place = await Place.make();
    const system = await place.startSystem();
    const host = await OtherHost.join(place, portsOf(system.runJson()));
    const worker = host.start(
      process.execPath,
      [join(repositoryDirectory, 'services/jobs/dist/main.js')],
      environmentOfWorker(system, place.folder('other-scratch')),
    );
    worker.stdout?.resume();
    const jobsOf = await openJobs(place, system.runJson().postgres.url);
    return {
      system,
      acts: [
        {
          fault: 'one of two hosts of workers is cut off, with the jobs that it runs',
          play: async (hold) => {
            await eventually(async () => {
              host.cutOff();
              if ((await jobsOf(worker.pid)) > 0) return true;
              host.reconnect();
              return false;
            });
            await hold();
            host.reconnect();
          },
        },
      ],
      stop: place.stop,
    };
  },
};

const portsOf = ({ postgres, nats, redis, object_store: store }: RunJson): number[] =>
  [postgres, nats, redis, store].map(({ url }) => Number(new URL(url).port));

/** The environment of the system's worker, with another port and folder. */
function environmentOfWorker(system: RunningSystem, scratch: string): Record<string, string> {
  const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker');
  if (!worker) throw new Error('there is no jobs worker');
  mkdirSync(scratch);
  const variables = readFileSync(`/proc/${worker.pid}/environ`, 'utf8').split('\0').filter(Boolean);
  const pairs = variables.map((variable) => /^([^=]*)=([^]*)$/.exec(variable)?.slice(1) ?? []);
  return { ...Object.fromEntries(pairs), KILN_HEALTH_PORT: '0', KILN_SCRATCH_DIR: scratch };
}

/** Returns a function that counts the jobs on which the process has a lease. */
async function openJobs(place: Place, url: string): Promise<(pid: number | undefined) => Promise<number>> {
  const client = new pg.Client(url);
  await client.connect();
  place.atEnd(() => client.end());
  return async (pid) => {
    const leased = `select count(*)::int as jobs from jobs.jobs where worker_id like '%:' || $1`;
    return (await client.query<{ jobs: number }>(leased, [pid])).rows[0]?.jobs ?? 0;
  };
}
