// graphile-worker, tuned as documented: a local queue of 500 and batched completions for throughput, neither for latency. It keeps
// no history, emits no events, and has no tenants.
import { createTestDatabase, type TestDatabase } from '@kiln/testing';
import { Logger, makeWorkerUtils, run, type Runner, type WorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { until, type JobEngine } from './job-engine.js';

const ADD_JOBS = 1_000;
const silent = new Logger(() => () => {});
const FOR_THROUGHPUT = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

export class GraphileEngine implements JobEngine {
  readonly name = 'graphile-worker';

  private constructor(
    private readonly created: TestDatabase,
    private readonly pool: pg.Pool,
    private readonly utils: WorkerUtils,
  ) {}

  static async start(): Promise<GraphileEngine> {
    const created = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: created.url, max: 10 });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const utils = await makeWorkerUtils({ pgPool: pool, logger: silent });
    await utils.migrate();
    return new GraphileEngine(created, pool, utils);
  }

  async fill(jobs: number): Promise<void> {
    for (let made = 0; made < jobs; made += ADD_JOBS) {
      const specs = Array.from({ length: Math.min(ADD_JOBS, jobs - made) }, (_, index) => ({
        identifier: 'task',
        payload: { index },
      }));
      await this.utils.addJobs(specs);
    }
    await this.pool.query('vacuum analyze graphile_worker._private_jobs');
  }

  async drain(jobs: number): Promise<void> {
    let begun = 0;
    const runner = await this.startWorker(FOR_THROUGHPUT, () => begun++);
    await until(() => begun === jobs);
    await until(
      async () => (await this.pool.query('select 1 from graphile_worker._private_jobs limit 1')).rowCount === 0,
    );
    await runner.stop();
  }

  async wait(onRun: (key: string) => void) {
    await this.pool.query('vacuum analyze graphile_worker._private_jobs');
    const runner = await this.startWorker({}, onRun);
    let last = 0;
    const add = async () => {
      const key = String(++last);
      await this.utils.addJob('task', { key });
      return key;
    };
    return { add, stop: () => runner.stop() };
  }

  async backendPids(): Promise<number[]> {
    const { rows } = await this.pool.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database()',
    );
    return rows.map(({ pid }) => pid);
  }

  async close(): Promise<void> {
    await this.utils.release();
    await this.pool.end();
    await this.created.drop();
  }

  private startWorker(worker: object, onRun: (key: string) => void): Promise<Runner> {
    return run({
      pgPool: this.pool,
      logger: silent,
      noHandleSignals: true,
      taskList: { task: (payload) => onRun((payload as { key: string }).key) },
      preset: { worker: { concurrentJobs: 24, ...worker } },
    });
  }
}
