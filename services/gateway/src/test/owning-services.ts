// FAKES of every service, for tests of tenancy: one responder per operation there is, on the real bus. They know who owns which
// id, as services do, and answer an id of another tenant as one that does not exist. What they answer the owner is a refusal
// of another kind, since these tests only tell "there is nothing" from anything else.
import * as contracts from '@kiln/contracts';
import {
  badRequest,
  encodeId,
  notFound,
  type CallContext,
  type IdKind,
  type Operation,
  type OperationInput,
} from '@kiln/contracts';
import { connectBus, createLogger, Metrics, RpcServer, type NatsConnection } from '@kiln/platform';
import { randomUUID } from 'node:crypto';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'subject' in value && 'idempotent' in value;

/** Every operation of every service, found in the contracts, so that a new one is covered by itself. */
const allOperations: Operation[] = Object.entries(contracts)
  .filter(([name, value]) => name.endsWith('Operations') && typeof value === 'object' && value !== null)
  .flatMap(([, group]) => Object.values(group as object).filter(isOperation));

type Reserving = OperationInput<typeof contracts.jobsOperations.reservePages>;

/** What is asked on the way to the question itself, about no thing that anybody owns. */
const welcomes = new Map<string, (input: never) => unknown>([
  [
    contracts.jobsOperations.reservePages.subject,
    ({ jobs }: Reserving) => ({ reserved: jobs.map(({ id }) => id), lease_seconds: 900 }),
  ],
  [contracts.jobsOperations.releasePages.subject, () => ({})],
]);

export class OwningServices {
  private readonly owners = new Map<string, string>();
  private connection: NatsConnection | null = null;
  private readonly servers: RpcServer[] = [];

  constructor(
    private readonly natsUrl: string,
    private readonly namespace: string,
  ) {}

  async start(): Promise<void> {
    const logger = createLogger({ service: 'fakes', role: 'all', level: 'silent' });
    const connection = await connectBus({ url: this.natsUrl, name: 'owners', logger });
    this.connection = connection;
    for (const operation of allOperations) {
      const service = operation.subject.split('.')[0] ?? '';
      const metrics = new Metrics(service, 'all');
      const server = new RpcServer({ connection, namespace: this.namespace, service, logger, metrics });
      server.listen(operation, async (input, context) => this.answer(operation.subject, input, context));
      this.servers.push(server);
    }
    await connection.flush();
  }

  /** A new id that belongs to the tenant. */
  own(kind: IdKind, tenantId: string): string {
    const id = encodeId(kind, randomUUID());
    this.owners.set(id, tenantId);
    return id;
  }

  private answer(subject: string, input: unknown, { tenantId }: CallContext): unknown {
    const welcome = welcomes.get(subject);
    if (welcome) return welcome(input as never);
    for (const text of JSON.stringify(input).match(/"[a-z]+_[0-9a-z]{26}"/g) ?? []) {
      const owner = this.owners.get(text.slice(1, -1));
      if (owner !== undefined && owner !== tenantId) throw notFound();
    }
    throw badRequest('It is there.');
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.drain(1_000)));
    await this.connection?.close();
  }
}
