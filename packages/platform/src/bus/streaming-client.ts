// Calls streaming operations of other services. A stream ends by its deadline with its output, a coded error, or UNAVAILABLE. It ends within
// seconds when the service dies, and the service's work ends within seconds when the caller leaves or dies.
import {
  CodedError,
  unavailable,
  type CallContext,
  type OperationItem,
  type OperationOutput,
  type StreamingOperation,
} from '@kiln/contracts';
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Circuits } from './circuit.js';
import { IncomingStream } from './incoming-stream.js';
import { rpcSubject } from './names.js';
import { prepareCall, type PreparedCall } from './prepare-call.js';
import { errorOf } from './replies.js';
import { NoReplyError } from './requester.js';
import { SharedPlaces } from './shared-places.js';
import { CANCEL, HEARTBEAT_MS } from './stream-frames.js';

/** Streams that a process reads at a time. Tenants share them. */
const STREAMS_MAX = 512;
/** A service accepts or refuses a stream at once, and only then works on it. */
const OPEN_TIMEOUT_MS = 5_000;

export class StreamingClient {
  private readonly inbox = createInbox();
  private readonly streams = new Map<string, IncomingStream>();
  private readonly places = new SharedPlaces(STREAMS_MAX);
  private isListening = false;
  private started = 0;

  /** With `circuits`, calls to an unresponsive service are rejected. */
  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
    private readonly circuits?: Pick<Circuits, 'run'>,
    private readonly heartbeatMs = HEARTBEAT_MS,
  ) {}

  /**
   * Yields the items as they come, and returns the output. A reader that stops, or aborts the signal, cancels the work of the service.
   * Throws the service's CodedError; UNAVAILABLE when the deadline passed, the service died or a message was lost; or the signal's reason.
   */
  async *stream<Op extends StreamingOperation>(
    operation: Op,
    input: z.input<Op['input']>,
    context: CallContext,
    signal: AbortSignal,
  ): AsyncGenerator<OperationItem<Op>, OperationOutput<Op>, undefined> {
    signal.throwIfAborted();
    const call = prepareCall(operation, input, context);
    this.takePlace(call.service, context.tenantId);
    const { name, stream } = this.start(call);
    const end = this.endsOf(stream, call, signal);
    try {
      await this.open(rpcSubject(this.namespace, operation.subject), name, stream, call, context);
      for (;;) {
        const { kind, message } = await stream.next();
        if (kind === 'item') yield JSON.parse(message.string()) as OperationItem<Op>;
        else return readLast(message) as OperationOutput<Op>;
      }
    } finally {
      end();
      stream.close();
      this.streams.delete(name);
      this.places.release(context.tenantId);
    }
  }

  private takePlace(service: string, tenantId: string): void {
    const refusal = this.places.take(tenantId);
    if (refusal === 'all') throw unavailable(`The ${service} service`, new Error('too many open streams'));
    if (refusal === 'tenant') {
      const message = 'Too many of your requests are running. Retry when some of them have ended.';
      throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
  }

  private start({ service }: PreparedCall): { name: string; stream: IncomingStream } {
    this.listen();
    const name = `${this.inbox}.${++this.started}`;
    const stream = new IncomingStream(service, this.publish);
    this.streams.set(name, stream);
    return { name, stream };
  }

  /** Waits until a process of the service has accepted the call. */
  private async open(
    subject: string,
    reply: string,
    stream: IncomingStream,
    { service, timeoutMs, payload, headers }: PreparedCall,
    { tenantId }: CallContext,
  ): Promise<void> {
    const accepted = async () => {
      const late = unavailable(`The ${service} service`, new NoReplyError('not accepted in time'));
      const timer = setTimeout(() => stream.fail(late), Math.min(timeoutMs, OPEN_TIMEOUT_MS));
      try {
        this.connection.publish(subject, payload, { reply, headers });
        const { kind, message } = await stream.next();
        if (kind !== 'open') readLast(message);
      } finally {
        clearTimeout(timer);
      }
    };
    await (this.circuits ? this.circuits.run(service, tenantId, accepted) : accepted());
  }

  /** Whatever ends a stream besides its service. Returns a function that stops watching. */
  private endsOf(stream: IncomingStream, { service, timeoutMs }: PreparedCall, signal: AbortSignal): () => void {
    const late = () => stream.fail(unavailable(`The ${service} service`, new Error('the deadline has passed')));
    const onAbort = () => stream.fail(signal.reason as Error);
    const deadline = setTimeout(late, timeoutMs);
    const heartbeat = setInterval(() => {
      // A reader that never comes back must not keep the work of the service alive.
      if (stream.hasFailed) clearInterval(heartbeat);
      else stream.heartbeat();
    }, this.heartbeatMs);
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      clearTimeout(deadline);
      clearInterval(heartbeat);
      signal.removeEventListener('abort', onAbort);
    };
  }

  private listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    this.connection.subscribe(`${this.inbox}.*`, { callback: (error, frame) => void (error || this.receive(frame)) });
    void this.watchConnection();
  }

  private receive(frame: Msg): void {
    const stream = this.streams.get(frame.subject);
    if (stream) stream.receive(frame);
    // The reader has left. An earlier cancellation may be lost.
    else if (frame.reply) this.publish(frame.reply, CANCEL);
  }

  private async watchConnection(): Promise<void> {
    for await (const { type } of this.connection.status()) if (type === 'disconnect') this.loseAll();
    this.loseAll();
  }

  /** Frames may be lost while the connection is down. */
  private loseAll(): void {
    for (const stream of this.streams.values()) stream.connectionLost();
  }

  private readonly publish = (subject: string, payload: string): void => {
    if (!this.connection.isClosed()) this.connection.publish(subject, payload);
  };
}

function readLast(message: Msg): unknown {
  const error = errorOf(message);
  if (error) throw error;
  return JSON.parse(message.string());
}
