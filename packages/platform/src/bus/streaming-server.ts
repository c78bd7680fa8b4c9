// Answers streaming operations over core NATS in the service's queue group. It validates the input, accepts the call, and sends what the
// handler yields, no faster than the caller reads. The handler's signal is aborted when the caller leaves or dies, and at the deadline.
import {
  asCodedError,
  CodedError,
  parseInput,
  unavailable,
  type CallContext,
  type StreamingOperation,
} from '@kiln/contracts';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { answerCalls, type Outcome, type RpcServerOptions } from './answer-calls.js';
import { contextFromHeaders } from './call-context.js';
import { inCall } from './current-call.js';
import { HeavyCalls } from './heavy-calls.js';
import { randomToken } from './inbox.js';
import { streamSubject } from './names.js';
import { CallerLeftError, OutgoingStream } from './outgoing-stream.js';
import { errorReply, payloadOf, readJson, refusal, withinContract } from './replies.js';
import { revisionHeaders } from './revisions.js';
import { SharedPlaces, takePlaces } from './shared-places.js';
import { orAborted } from './stream-parts.js';

export interface StreamContext extends CallContext {
  /** Aborted when the caller no longer needs the rest. The handler then ends soon. */
  readonly signal: AbortSignal;
  /**
   * Starts `work` when the tenant has a place for its weight among the heavy calls of the process (see `WeightOf`). For the part of a stream
   * that asks for much: a whole stream would keep the place while it waits for others. Throws UNAVAILABLE if the stream is over before that.
   */
  readonly asHeavy: <Result>(weight: number, work: () => Promise<Result>) => Promise<Result>;
}

/** Yields the items and returns the output. */
export type StreamingHandler = (input: unknown, context: StreamContext) => AsyncGenerator<unknown, unknown>;

export interface StreamingServerOptions extends RpcServerOptions {
  heartbeatMs?: number;
}

/** Streams of one process at a time. Tenants share them. */
const STREAMS_MAX = 512;
/** Time reserved for the last part to travel back before the caller's deadline. */
const REPLY_MS = 250;

/** A call that is answered. */
interface Streamed {
  operation: StreamingOperation;
  handler: StreamingHandler;
  message: Msg;
  stream: OutgoingStream;
}

export class StreamingServer {
  private readonly heavy: HeavyCalls;
  private readonly running = new Set<OutgoingStream>();
  private readonly places = new SharedPlaces(STREAMS_MAX);
  private readonly subscriptions: Subscription[] = [];

  constructor(private readonly options: StreamingServerOptions) {
    this.heavy = options.heavyCalls ?? new HeavyCalls();
  }

  listen(operation: StreamingOperation, handler: StreamingHandler): void {
    const answer = (message: Msg) => this.answer(operation, handler, message);
    this.subscriptions.push(answerCalls(this.options, operation, answer));
  }

  /** Accepts no new calls. Waits for running streams until the deadline, then ends them with UNAVAILABLE. */
  async drain(deadlineMs: number): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    await this.ended(Date.now() + deadlineMs);
    for (const stream of this.running) stream.abort(this.unavailable('the process is stopping'));
    await this.ended(Date.now() + REPLY_MS);
  }

  private async ended(by: number): Promise<void> {
    while (this.running.size > 0 && Date.now() < by) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async answer(operation: StreamingOperation, handler: StreamingHandler, message: Msg): Promise<Outcome> {
    const { connection, namespace, service, logger, heartbeatMs } = this.options;
    const control = streamSubject(namespace, service, randomToken());
    const stream = new OutgoingStream(connection, message, control, heartbeatMs);
    this.running.add(stream);
    try {
      await this.run({ operation, handler, message, stream });
      return 'ok';
    } catch (error) {
      const coded = withinContract(operation, asCodedError(error));
      const hasLeft = error instanceof CallerLeftError;
      const { payload, headers } = hasLeft ? errorReply(coded) : refusal(operation, message, coded, logger);
      // After an abort, the broker replies to a caller that asks later.
      await stream.send('error', payload, headers).catch(() => undefined);
      return hasLeft ? 'cancelled' : coded;
    } finally {
      stream.close();
      this.running.delete(stream);
    }
  }

  private async run({ operation, handler, message, stream }: Streamed): Promise<void> {
    const context = contextFromHeaders(message.headers);
    if (!context) throw new CodedError('BAD_REQUEST', 'The call has no context.');
    const waitMs = Math.min(context.deadlineAt - Date.now(), operation.timeoutMs);
    if (waitMs <= 0) throw this.unavailable('the deadline has passed');
    const input = parseInput(operation.input, readJson(message));
    takePlaces(this.places, this.options.service, context.tenantId);
    const workMs = Math.max(waitMs / 2, waitMs - REPLY_MS);
    const deadline = setTimeout(() => stream.abort(this.unavailable('no result before the deadline')), workMs);
    try {
      await stream.send('open', '', revisionHeaders(operation, message));
      // No work begins for a caller that has left meanwhile.
      await stream.asked();
      const call = this.heavy.begin(context.tenantId);
      stream.signal.addEventListener('abort', () => call.end(), { once: true });
      const timed: StreamContext = {
        ...context,
        deadlineAt: Date.now() + workMs,
        signal: stream.signal,
        asHeavy: (weight, work) => this.heavy.run(call, weight, work),
      };
      await inCall(call, () => send(operation, handler(input, timed), stream));
    } finally {
      clearTimeout(deadline);
      this.places.release(context.tenantId);
    }
  }

  private unavailable(cause: string): CodedError {
    return unavailable(`The ${this.options.service} service`, new Error(cause));
  }
}

async function send(
  { subject, item, output }: StreamingOperation,
  results: AsyncGenerator<unknown, unknown>,
  stream: OutgoingStream,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await orAborted(stream.signal, results.next());
      if (done) return await stream.send('end', payloadOf(subject, output, value));
      await stream.send('item', payloadOf(subject, item, value));
    }
  } finally {
    // Not awaited: a handler that does not heed its signal must not hold up the reply.
    results.return(undefined).catch(() => undefined);
  }
}
