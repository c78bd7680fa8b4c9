// graphile-worker at its fastest: jobs fetched 500 ahead, completions written together. It keeps no history and sends no
// events, and its queue knows no tenants.
import { createTestDatabase, type TestDatabase } from '@kiln/testing';
import { Logger, makeWorkerUtils, run, type Runner, type WorkerUtils } from 'graphile-worker';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Bell, timeEach, until, type JobEngine } from './job-engine.js';

const ADD_JOBS = 1_000;
const silent = new Logger(() => () => {});

export class GraphileEngine implements JobEngine {
  private constructor(
    readonly name: string,
    private readonly tuned: boolean,
    private readonly created: TestDatabase,
    private readonly pool: pg.Pool,
    private readonly utils: WorkerUtils,
  ) {}

  static async start(name: string, { tuned }: { tuned: boolean }): Promise<GraphileEngine> {
    const created = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: created.url, max: 10 });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const utils = await makeWorkerUtils({ pgPool: pool, logger: silent });
    await utils.migrate();
    return new GraphileEngine(name, tuned, created, pool, utils);
  }

  async fill(jobs: number): Promise<void> {
    for (let made = 0; made < jobs; made += ADD_JOBS) {
      const specs = Array.from({ length: Math.min(ADD_JOBS, jobs - made) }, (_, index) => ({
        identifier: 'task',
        payload: { index },
      }));
      await this.utils.addJobs(specs);
    }
    await this.pool.query('analyze graphile_worker._private_jobs');
  }

  async drain(jobs: number): Promise<void> {
    let begun = 0;
    const runner = await this.startWorker(() => begun++);
    await until(() => begun === jobs);
    await until(
      async () => (await this.pool.query('select 1 from graphile_worker._private_jobs limit 1')).rowCount === 0,
    );
    await runner.stop();
  }

  async pickUps(samples: number): Promise<number[]> {
    const bell = new Bell();
    const runner = await this.startWorker(() => bell.ring());
    await delay(500);
    const times = await timeEach(
      samples,
      () => this.utils.addJob('task', {}),
      () => bell.next(),
    );
    await runner.stop();
    return times;
  }

  async close(): Promise<void> {
    await this.utils.release();
    await this.pool.end();
    await this.created.drop();
  }

  private startWorker(onRun: () => void): Promise<Runner> {
    return run({
      pgPool: this.pool,
      logger: silent,
      noHandleSignals: true,
      taskList: { task: () => onRun() },
      preset: {
        worker: {
          concurrentJobs: 24,
          ...(this.tuned ? { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } : {}),
        },
      },
    });
  }
}
