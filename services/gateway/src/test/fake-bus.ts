// A FAKE of the services on the real bus, for the gateway's integration tests: small responders behind the platform's own RPC server, so
// that inputs and outputs are checked by the contracts. Subclasses say what the responders answer.
import {
  isStreaming,
  type CallContext,
  type Operation,
  type OperationInput,
  type OperationItem,
  type OperationOutput,
  type StreamingOperation,
} from '@kiln/contracts';
import {
  connectBus,
  createLogger,
  Metrics,
  pingSubject,
  rpcSubject,
  RpcServer,
  StreamingServer,
  type NatsConnection,
  type OperationHandler,
  type RpcServerOptions,
  type StreamContext,
} from '@kiln/platform';

export interface RecordedCall {
  subject: string;
  input: unknown;
  context: CallContext;
}

/** Lets a handler answer an operation. The handler of a streaming operation returns its output, without items. */
export type Answer = <Op extends Operation>(
  operation: Op,
  handler: (input: OperationInput<Op>, context: CallContext) => OperationOutput<Op>,
) => void;

interface Responder {
  server: RpcServer | StreamingServer;
  operation: Operation;
  listen: () => void;
}

export abstract class FakeBus {
  readonly calls: RecordedCall[] = [];
  private readonly overrides = new Map<string, () => Promise<unknown>>();
  private readonly streams = new Map<string, (context: StreamContext) => AsyncGenerator<unknown, unknown>>();
  private connection: NatsConnection | null = null;
  private readonly responders = new Map<string, Responder>();
  private silent: ReturnType<NatsConnection['subscribe']>[] = [];
  /** Calls that silenced services have received. */
  unanswered = 0;

  constructor(
    private readonly natsUrl: string,
    private readonly namespace: string,
  ) {}

  protected abstract answerAll(answer: Answer): void;

  async start(): Promise<void> {
    const logger = createLogger({ service: 'fakes', role: 'all', level: 'error' });
    this.connection = await connectBus({ url: this.natsUrl, name: 'fakes', logger });
    this.answerAll((operation, handler) => this.answer(operation, handler));
    await this.connection.flush();
  }

  /** The services leave the bus, and come back with `start`. */
  async stop(): Promise<void> {
    await Promise.all([...this.responders.values()].map(({ server }) => server.drain(1_000)));
    this.responders.clear();
    await this.connection?.close();
  }

  /** From now on the operation does this instead, until `reset`. */
  override(operation: Operation, behaviour: () => Promise<unknown>): void {
    this.overrides.set(operation.subject, behaviour);
  }

  /** From now on the streaming operation does this instead, until `reset`. */
  overrideStream<Op extends StreamingOperation>(
    operation: Op,
    behaviour: (context: StreamContext) => AsyncGenerator<OperationItem<Op>, OperationOutput<Op>>,
  ): void {
    this.streams.set(operation.subject, behaviour);
  }

  reset(): void {
    this.overrides.clear();
    this.streams.clear();
    this.calls.length = 0;
  }

  callsOf<Op extends Operation>(operation: Op): (RecordedCall & { input: OperationInput<Op> })[] {
    return this.calls.filter((call) => call.subject === operation.subject) as (RecordedCall & {
      input: OperationInput<Op>;
    })[];
  }

  /** The processes of a service receive calls and answer none, as under SIGSTOP. */
  async silence(service: string): Promise<void> {
    await Promise.all(this.respondersOf(service).map(({ server }) => server.drain(1_000)));
    const take = (subject: string, callback: () => void) => {
      const taken = this.connection?.subscribe(subject, { queue: service, callback });
      if (taken) this.silent.push(taken);
    };
    take(rpcSubject(this.namespace, `${service}.>`), () => this.unanswered++);
    take(pingSubject(this.namespace, service), () => undefined);
    await this.connection?.flush();
  }

  /** They answer again. */
  unsilence(service: string): void {
    for (const subscription of this.silent.splice(0)) subscription.unsubscribe();
    for (const { listen } of this.respondersOf(service)) listen();
  }

  private respondersOf(service: string): Responder[] {
    return [...this.responders.values()].filter(({ operation }) => operation.subject.startsWith(`${service}.`));
  }

  /** If an operation has two handlers, the first counts. */
  private answer<Op extends Operation>(
    operation: Op,
    handler: (input: OperationInput<Op>, context: CallContext) => OperationOutput<Op>,
  ): void {
    if (!this.connection) throw new Error('not started');
    if (this.responders.has(operation.subject)) return;
    const service = operation.subject.split('.')[0] ?? '';
    const options = {
      connection: this.connection,
      namespace: this.namespace,
      service,
      logger: createLogger({ service, role: 'all', level: 'silent' }),
      metrics: new Metrics(service, 'all'),
    };
    const answer = async (input: unknown, context: CallContext) => {
      this.calls.push({ subject: operation.subject, input, context });
      const override = this.overrides.get(operation.subject);
      return override ? override() : handler(input as OperationInput<Op>, context);
    };
    const responder = isStreaming(operation)
      ? this.streamResponder(operation, options, answer)
      : rpcResponder(operation, options, answer);
    responder.listen();
    this.responders.set(operation.subject, responder);
  }

  private streamResponder(
    operation: StreamingOperation,
    options: RpcServerOptions,
    answer: OperationHandler,
  ): Responder {
    const server = new StreamingServer(options);
    const { streams } = this;
    async function* stream(input: unknown, context: StreamContext) {
      const output = await answer(input, context);
      const override = streams.get(operation.subject);
      return override ? yield* override(context) : output;
    }
    return { server, operation, listen: () => server.listen(operation, stream) };
  }
}

function rpcResponder(operation: Operation, options: RpcServerOptions, answer: OperationHandler): Responder {
  const server = new RpcServer(options);
  return { server, operation, listen: () => server.listen(operation, answer) };
}
