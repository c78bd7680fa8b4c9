// pg-boss by its own fetch and complete, 500 at a time, without its polling worker: the way in which it is fastest. It polls
// (twice a second at most) where the others are woken, so that its pick-up isn't measured.
import { createTestDatabase, type TestDatabase } from '@kiln/testing';
import PgBoss from 'pg-boss';
import type { JobEngine } from './job-engine.js';

const QUEUE = 'bench';
const BATCH = 500;

export class PgBossEngine implements JobEngine {
  readonly name = 'pg-boss, batches of 500';

  private constructor(
    private readonly boss: PgBoss,
    private readonly created: TestDatabase,
  ) {}

  static async start(): Promise<PgBossEngine> {
    const created = await createTestDatabase();
    const boss = new PgBoss({ connectionString: created.url, schedule: false, supervise: false });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue(QUEUE);
    return new PgBossEngine(boss, created);
  }

  async fill(jobs: number): Promise<void> {
    for (let made = 0; made < jobs; made += BATCH) {
      const size = Math.min(BATCH, jobs - made);
      await this.boss.insert(Array.from({ length: size }, (_, index) => ({ name: QUEUE, data: { index } })));
    }
  }

  async drain(jobs: number): Promise<void> {
    let done = 0;
    const loop = async () => {
      for (;;) {
        const fetched = await this.boss.fetch(QUEUE, { batchSize: BATCH });
        if (fetched.length === 0) return;
        await this.boss.complete(
          QUEUE,
          fetched.map(({ id }) => id),
        );
        done += fetched.length;
      }
    };
    await Promise.all([loop(), loop()]);
    if (done !== jobs) throw new Error(`${done} of ${jobs} jobs were completed`);
  }

  pickUps(): Promise<number[]> {
    return Promise.resolve([]);
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false });
    await this.created.drop();
  }
}
