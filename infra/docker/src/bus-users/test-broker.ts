// For specs: a NATS server with the users of nats-users.conf, and connections that note what it refuses.
import { makeTemporaryHome, startNatsForServices, type RunningNats, type TemporaryHome } from '@kiln/dev';
import { connectBus, createLogger, type NatsConnection } from '@kiln/platform';
import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';

export interface Refusal {
  operation: string;
  subject: string;
}

export class TestUser {
  readonly refusals: Refusal[] = [];
  /** The metric of a process. */
  refusedCount = 0;

  constructor(readonly connection: NatsConnection) {}

  /** The refusals after these messages, of which each has its subject as content. */
  async refusedOf(subjects: readonly string[]): Promise<string[]> {
    this.refusals.length = 0;
    for (const subject of subjects) this.connection.publish(subject, subject);
    // The broker replies in order. A refusal is logged in the same pass of the event loop.
    await this.connection.flush();
    await nextPass();
    return this.refusals.map(({ subject }) => subject);
  }
}

export class TestBroker {
  private readonly connections: NatsConnection[] = [];

  private constructor(
    private readonly home: TemporaryHome,
    private readonly nats: RunningNats,
  ) {}

  static async start(): Promise<TestBroker> {
    const home = await makeTemporaryHome();
    const options = { directory: join(home.directory, 'nats'), registry: home.registry };
    return new TestBroker(home, await startNatsForServices(options));
  }

  async login(name: string): Promise<TestUser> {
    // The platform logs a refusal as an error, which is how it becomes visible.
    const write = (line: string) => {
      const { operation, subject } = JSON.parse(line) as Partial<Refusal>;
      if (operation !== undefined && subject !== undefined) user.refusals.push({ operation, subject });
    };
    const logger = createLogger({ service: 'test', role: 'all', level: 'error' }, { write });
    const url = name === 'operator' ? this.nats.url : this.nats.urlOf(name);
    const refusals = { add: (count: number) => void (user.refusedCount += count) };
    const connection = await connectBus({ url, name, logger, refusals });
    const user = new TestUser(connection);
    this.connections.push(connection);
    return user;
  }

  async stop(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
    await this.nats.stop();
    this.home.remove();
  }
}
