// Kiln's Nest transport. @Operation and @Stream handlers answer requests over core NATS; @OnEvent and @OnEvents handlers consume from
// JetStream. One strategy serves both, because Nest's own NATS server would receive JetStream publishes as plain messages.
import { isStreaming, type CallContext, type Operation } from '@kiln/contracts';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { EventConsumer, type EventConsumerOptions } from '../events/event-consumer.js';
import { exactlyOnce } from '../events/inbox.js';
import type { EventExtras } from '../events/on-event.decorator.js';
import type { Database } from '../postgres/database.js';
import { callsMs } from '../service/shutdown-phases.js';
import { HeavyCalls } from './heavy-calls.js';
import { consumerName } from './names.js';
import { RpcServer, type WeightOf } from './rpc-server.js';
import { StreamingServer } from './streaming-server.js';

export interface BusServerOptions extends EventConsumerOptions {
  database: Database;
  /** The operations this process must answer. The boot fails on an operation without a handler and on a handler without an operation. */
  operations: readonly Operation[];
}

interface Extras extends Partial<EventExtras> {
  operation?: Operation;
  weightOf?: WeightOf;
}

/** Runs Nest's wrapped handler. Returns its value, or throws the error that its filter passed on. */
async function runHandler(handler: MessageHandler, input: unknown, context: unknown): Promise<unknown> {
  const result: unknown = await handler(input, context);
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** The pieces and the result of a handler that is an async generator. */
async function* runGenerator(handler: MessageHandler, input: unknown, context: unknown) {
  return yield* (await runHandler(handler, input, context)) as AsyncGenerator<unknown, unknown>;
}

export class BusServer extends Server implements CustomTransportStrategy {
  private readonly rpc: RpcServer;
  private readonly streaming: StreamingServer;
  private consumers: EventConsumer[] = [];

  constructor(private readonly busOptions: BusServerOptions) {
    super();
    const options = { ...busOptions, heavyCalls: new HeavyCalls() };
    this.rpc = new RpcServer(options);
    this.streaming = new StreamingServer(options);
  }

  override addHandler(pattern: string, handler: MessageHandler, isEventHandler = false, extras: Extras = {}): void {
    if (this.messageHandlers.has(pattern)) throw new Error(`${pattern} has two handlers`);
    if (!extras.operation && !extras.definition)
      throw new Error(`${pattern}: use @Operation, @Stream, @OnEvent or @OnEvents`);
    super.addHandler(pattern, handler, isEventHandler, extras);
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(
      () => callback(),
      (error: unknown) => callback(error),
    );
  }

  /** Stops accepting messages, and waits for the running handlers: for calls as long as their callers do. */
  async close(): Promise<void> {
    const deadlineMs = callsMs(this.busOptions.operations);
    await Promise.all([
      ...this.consumers.map((consumer) => consumer.stop()),
      this.rpc.drain(deadlineMs),
      this.streaming.drain(deadlineMs),
    ]);
  }

  /** Whether a consumer receives no events, because the broker has lost it. */
  get standsStill(): boolean {
    return this.consumers.some((consumer) => consumer.standsStill);
  }

  /** The durable names of the consumers that run. */
  get consumerNames(): readonly string[] {
    return this.consumers.map(({ name }) => name);
  }

  on(): never {
    throw new Error('the bus server does not emit events');
  }

  unwrap<Client>(): Client {
    return this.busOptions.connection as Client;
  }

  private async start(): Promise<void> {
    this.assertComplete();
    for (const handler of this.messageHandlers.values()) {
      const { operation, weightOf, definition, together, paceMs, batchSize } = (handler.extras ?? {}) as Extras;
      if (operation && isStreaming(operation)) {
        this.streaming.listen(operation, (input, context) => runGenerator(handler, input, context));
      } else if (operation) {
        const handle = (input: unknown, context: CallContext) => runHandler(handler, input, context);
        this.rpc.listen(operation, handle, weightOf);
      } else if (definition) {
        const handle = async (given: unknown, context?: unknown) => void (await runHandler(handler, given, context));
        const { service, database } = this.busOptions;
        const consume = together ? handle : exactlyOnce(database, consumerName(service, definition.type), handle);
        this.consumers.push(new EventConsumer({ ...this.busOptions, paceMs, batchSize }, definition, consume));
      }
    }
    await Promise.all(this.consumers.map((consumer) => consumer.start()));
  }

  private assertComplete(): void {
    const expected = new Set(this.busOptions.operations.map((operation) => operation.subject));
    const missing = [...expected].filter((subject) => !this.messageHandlers.has(subject));
    if (missing.length > 0) throw new Error(`no handler for ${missing.join(', ')}`);
    for (const [pattern, handler] of this.messageHandlers) {
      const { operation } = (handler.extras ?? {}) as Extras;
      if (operation && !expected.has(pattern)) throw new Error(`${pattern} is not an operation of this service`);
    }
  }
}
