// BullMQ on the harness's Redis, which syncs nothing to disk before it answers: another promise than the others make.
import { testNamespace, testRedis } from '@kiln/testing';
import { Queue, Worker, type ConnectionOptions } from 'bullmq';
import { Bell, timeEach, until, type JobEngine } from './job-engine.js';

const ADD_JOBS = 1_000;
const CONCURRENCY = 100;

export class BullMqEngine implements JobEngine {
  readonly name = 'BullMQ';

  private constructor(
    private readonly queue: Queue,
    private readonly connection: ConnectionOptions,
  ) {}

  static async start(): Promise<BullMqEngine> {
    const { hostname: host, port, password } = new URL(await testRedis());
    const connection = {
      host,
      port: Number(port),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      maxRetriesPerRequest: null,
    };
    const queue = new Queue(testNamespace().replaceAll(':', '-'), {
      connection,
      defaultJobOptions: { removeOnComplete: true },
    });
    await queue.waitUntilReady();
    return new BullMqEngine(queue, connection);
  }

  async fill(jobs: number): Promise<void> {
    for (let made = 0; made < jobs; made += ADD_JOBS) {
      const size = Math.min(ADD_JOBS, jobs - made);
      await this.queue.addBulk(Array.from({ length: size }, (_, index) => ({ name: 'task', data: { index } })));
    }
  }

  async drain(jobs: number): Promise<void> {
    let done = 0;
    const worker = this.startWorker(() => {});
    worker.on('completed', () => done++);
    await until(() => done === jobs);
    await worker.close();
  }

  async pickUps(samples: number): Promise<number[]> {
    const bell = new Bell();
    const worker = this.startWorker(() => bell.ring());
    await worker.waitUntilReady();
    const times = await timeEach(
      samples,
      () => this.queue.add('task', {}),
      () => bell.next(),
    );
    await worker.close();
    return times;
  }

  async close(): Promise<void> {
    await this.queue.obliterate({ force: true });
    await this.queue.close();
  }

  private startWorker(onRun: () => void): Worker {
    const options = { connection: this.connection, concurrency: CONCURRENCY };
    const worker = new Worker(this.queue.name, async () => onRun(), options);
    worker.on('error', () => {});
    return worker;
  }
}
